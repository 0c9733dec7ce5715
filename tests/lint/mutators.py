"""What breaks a description: the register of all mutators.

A mutator knows the places where it applies (`sites`, elements of a robot), and breaks the robot at
one of them. It returns the place where the rule must speak: an element, Closing(element), or a list
of which one must be met; None where it turned out not to apply. One file per tier or two has them.
"""

import collections

Mutator = collections.namedtuple("Mutator", "rule what sites apply srdf")
Closing = collections.namedtuple("Closing", "node")  # the line of an element's end tag
MUTATORS = []


def mutator(rule, what, sites, srdf=False):
    """Registers apply(robot, site, case); `case` has the random numbers and files of its own. With
    `srdf` the sites are those of the SRDF, case.srdf, and the place is in that file."""
    def register(apply):
        MUTATORS.append(Mutator(rule, what, sites, apply, srdf))
        return apply
    return register


TURNING, SLIDING = ("revolute", "continuous"), ("prismatic",)
MOVING = TURNING + SLIDING
NUMBERS = {"origin": ["xyz", "rpy"], "axis": ["xyz"], "limit": ["lower", "upper", "effort", "velocity"],
           "mass": ["value"], "inertia": ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"], "box": ["size"],
           "cylinder": ["radius", "length"], "sphere": ["radius"], "mesh": ["scale"],
           "mimic": ["multiplier", "offset"], "dynamics": ["damping", "friction"]}


def misspell(name, case):
    at = case.random.randrange(len(name))
    return name[:at] + "qx" + name[at + 1:]
