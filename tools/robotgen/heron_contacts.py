"""Which pairs of heron's links need no check, and why.

The pairs under Never were sampled: in 800 000 configurations over all limits, with the limits
themselves favoured, none of them came closer than 6 mm. Sets of links are named where the reason
is one for all of them; a pair that comes close without touching (the two fingers, the shoulder
over its pod) is not listed and stays checked.
"""

WHEELS = ["r_wheel_link", "l_wheel_link"]
CASTERS = ["caster_front_left_link", "caster_front_right_link", "caster_rear_left_link",
           "caster_rear_right_link"]
UNDER = WHEELS + CASTERS
COLUMN = ["torso_fixed_link", "bellows_link"]
HEAD = ["head_pan_link", "head_tilt_link"]
SHOULDER = ["shoulder_pan_link", "shoulder_lift_link"]
HAND = ["gripper_link", "l_gripper_finger_link", "r_gripper_finger_link"]

# contact by design: the bellows reach down through the deck and hug the column at every lift
DEFAULT = [("base_link", "bellows_link"), ("torso_fixed_link", "bellows_link")]

NEVER = [
    # wheels and casters keep their places under the hull
    (UNDER, UNDER),
    (UNDER, COLUMN + ["torso_lift_link"] + HEAD + SHOULDER
     + ["upperarm_roll_link", "elbow_flex_link", "laser_link", "estop_link"]),
    # what rides on the torso stays above the deck, and clear of the column inside it
    (["base_link"], ["torso_lift_link"] + HEAD + SHOULDER + ["upperarm_roll_link"]),
    (COLUMN, HEAD + SHOULDER + ["upperarm_roll_link"]),
    (["laser_link", "estop_link"], COLUMN + ["torso_lift_link"] + HEAD + SHOULDER
     + ["upperarm_roll_link"]),
    (["laser_link"], ["estop_link"]),
    # head against shoulder: the lift axis lies too low
    (["torso_lift_link"], ["head_tilt_link"]),
    (HEAD, SHOULDER),
    # neighbours but one or two along the arm: the joints between them do not fold that far
    (["shoulder_pan_link"], ["upperarm_roll_link", "elbow_flex_link", "forearm_roll_link"]),
    (["shoulder_lift_link"], ["elbow_flex_link", "forearm_roll_link", "wrist_flex_link",
                              "wrist_roll_link"]),
    (["upperarm_roll_link"], ["forearm_roll_link", "wrist_flex_link", "wrist_roll_link"] + HAND),
    (["elbow_flex_link"], ["wrist_flex_link", "wrist_roll_link"] + HAND),
    (["forearm_roll_link"], ["wrist_roll_link"] + HAND),
    (["wrist_flex_link"], HAND),
    (["wrist_roll_link"], HAND[1:])]


def never():
    """Each pair once, whichever sets it comes from."""
    pairs, seen = [], set()
    for first, second in NEVER:
        for a in first:
            for b in second:
                if a != b and frozenset((a, b)) not in seen:
                    seen.add(frozenset((a, b)))
                    pairs.append((a, b))
    return pairs
