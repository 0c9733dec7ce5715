// graze verify: the verdicts of a dump, decided anew in integers.

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/argument.h"
#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/output.h"
#include "verify/dump_reader.h"
#include "verify/kinematics.h"
#include "verify/motion_replay.h"
#include "verify/replay.h"

static const char *const format_names[] = {"text", "json", NULL};

typedef struct verify_options {
    const char *output;
    bool kinematics, quiet;
    int format;
} verify_options;

static const gz_command_line command_line = {
    .command = "verify",
    .synopsis = "verify FILE [options]",
    .about =
        "Decides the verdicts of a dump anew, from its numbers alone and in whole numbers of any\n"
        "length, by other algorithms than those that gave them: every pair of every configuration.\n"
        "FILE is what --dump of 'graze check' or 'graze plan' has written, or --certificate of\n"
        "'graze motion' or 'graze certify': then it is proved anew that the way is free. '-' is\n"
        "standard input.",
    .examples = "  graze check robot.urdf --configs q.npy --dump verdicts.dump\n"
                "  graze verify verdicts.dump\n"
                "  graze verify --kinematics --format json verdicts.dump\n",
    .operand_name = "FILE",
};

static int parse(verify_options *o, const char **file, int argc, char **argv) {
    gz_option what[] = {
        {"kinematics", NULL, .flag = &o->kinematics,
         .help = "also that the poses follow from q, up to the\npose_error of each link"},
    };
    gz_option answer[] = {
        {"format", "FORMAT", .choice = &o->format, .choices = format_names,
         .help = "text (default), json"},
        GZ_OPTION_OUTPUT(&o->output),
        {"quiet", NULL, .flag = &o->quiet, .help = "no line for what is confirmed, no progress"},
    };
    gz_option_section sections[] = {GZ_SECTION("what is verified", what),
                                    GZ_SECTION("answer", answer)};
    return gz_command_line_parse(&command_line, file, sections, GZ_COUNT(sections), argc, argv);
}

// ---------------------------------------------------------------------------------------- answers

typedef struct tally {
    uint64_t configurations, free;
    uint64_t outcomes[GZ_REPLAY_REFUTED + 1]; ///< by gz_replay_outcome
    uint64_t pairs, item_pairs, points;
    uint64_t motions, motion_outcomes[GZ_REPLAY_REFUTED + 1];
} tally;

static const char *const outcome_words[] = {"confirmed", "within tolerance", "undecided",
                                            "no verdict", "REFUTED"};
static const char *const outcome_keys[] = {"confirmed", "tolerated", "undecided", "no-verdict",
                                           "refuted"};

static void count(tally *t, const gz_dump_configuration *c, const gz_replay_result *result) {
    t->configurations++;
    t->pairs += result->pairs;
    t->item_pairs += result->item_pairs;
    t->points += result->points;
    t->outcomes[result->outcome]++;
    t->free += result->outcome == GZ_REPLAY_CONFIRMED && c->verdict == GZ_DUMP_FREE;
}

static int exit_of(const tally *t) {
    const uint64_t *n = t->outcomes, *m = t->motion_outcomes;
    if (n[GZ_REPLAY_UNCLAIMED] + m[GZ_REPLAY_UNCLAIMED] > 0) return GZ_EXIT_INPUT;
    uint64_t bad = n[GZ_REPLAY_REFUTED] + n[GZ_REPLAY_UNDECIDED] + m[GZ_REPLAY_REFUTED] +
                   m[GZ_REPLAY_UNDECIDED];
    return bad > 0 ? GZ_EXIT_FINDING : GZ_EXIT_FINE;
}

static const char *other_name(const gz_dump_scene *scene, const gz_dump_contact *contact) {
    return contact->body < 0 ? "boundary" : scene->bodies[contact->other].name;
}

static const char *link_name(const gz_dump_scene *scene, const gz_dump_contact *contact) {
    return contact->body < 0 ? "base" : scene->bodies[contact->body].name;
}

/// "arm, shelf (triangles 3, 14)"
static void write_contact(FILE *stream, const gz_dump_scene *scene, const gz_dump_contact *c) {
    gz_plain_put(stream, link_name(scene, c));
    fputs(", ", stream);
    gz_plain_put(stream, other_name(scene, c));
    if (c->body < 0 || (c->triangle < 0 && c->other_triangle < 0 && !c->inside)) return;
    char sides[2][24] = {"-", "-"};
    const int64_t triangles[2] = {c->triangle, c->other_triangle};
    for (int k = 0; k < 2; k++)
        if (triangles[k] >= 0) snprintf(sides[k], sizeof sides[k], "%" PRId64, triangles[k]);
    fprintf(stream, " (%striangles %s, %s)", c->inside ? "inside, " : "", sides[0], sides[1]);
}

static void write_text(FILE *stream, const gz_dump_scene *scene, const gz_dump_configuration *c,
                       const gz_replay_result *result) {
    fprintf(stream, "%" PRIu64 ": %s", c->index, outcome_words[result->outcome]);
    if (result->outcome != GZ_REPLAY_CONFIRMED) {
        fputs(": ", stream);
        gz_plain_put(stream, result->message);
        fputc('\n', stream);
        return;
    }
    if (c->verdict == GZ_DUMP_FREE) {
        fprintf(stream, " free (%" PRIu64 " pairs, %" PRIu64 " triangle pairs by rationals)\n",
                result->pairs, result->item_pairs);
        return;
    }
    for (size_t i = 0; i < c->contact_count; i++) {
        fputs(i == 0 ? " collision: " : "; ", stream);
        write_contact(stream, scene, &c->contacts[i]);
    }
    fputc('\n', stream);
}

static void write_json(gz_json *json, const gz_dump_scene *scene, const gz_dump_configuration *c,
                       const gz_replay_result *result) {
    gz_json_put(json, "{ index=%" PRIu64 " result=%s", c->index, outcome_keys[result->outcome]);
    if (c->verdict != GZ_DUMP_UNKNOWN)
        gz_json_put(json, "collision=%i", c->verdict != GZ_DUMP_FREE);
    if (result->outcome != GZ_REPLAY_CONFIRMED) gz_json_put(json, "message=%s", result->message);
    gz_json_put(json, "pairs=%" PRIu64 " triangle_pairs=%" PRIu64 " winding_numbers=%" PRIu64,
                result->pairs, result->item_pairs, result->points);
    size_t contacts = c->verdict == GZ_DUMP_COLLISION ? c->contact_count : 0;
    gz_json_put(json, "contacts=[");
    for (size_t i = 0; i < contacts; i++) {
        const gz_dump_contact *contact = &c->contacts[i];
        bool boundary = contact->body < 0;
        gz_json_put(json,
                    "{ link=%s other=%s triangle=%" PRId64 " other_triangle=%" PRId64
                    " contained=%i }",
                    link_name(scene, contact), other_name(scene, contact),
                    boundary ? INT64_C(-1) : contact->triangle,
                    boundary ? INT64_C(-1) : contact->other_triangle, contact->inside);
    }
    gz_json_put(json, "] }");
}

/// What is claimed of a motion: "free", or "free up to t = 0.25, and in collision at t = 0.251".
static void write_claim_text(FILE *stream, const gz_dump_motion *m) {
    double begin = m->times[0], span = m->times[1] - m->times[0];
    bool hits = m->verdict == GZ_DUMP_MOTION_COLLISION;
    fputs(" free", stream);
    if (m->is_curve && !hits)
        fprintf(stream, " from %.9g s to %.9g s", begin, m->times[1]);
    else if (m->is_curve)
        fprintf(stream, " from %.9g s to %.9g s, and in collision at %.9g s", begin,
                begin + m->earliest * span, begin + m->latest * span);
    else if (hits)
        fprintf(stream, " up to t = %.9g, and in collision at %.9g", m->earliest, m->latest);
}

static void write_motion_text(FILE *stream, uint64_t index, const gz_dump_motion *m,
                              const gz_motion_result *result) {
    fprintf(stream, "%" PRIu64 ": motion %s", index, outcome_words[result->replay.outcome]);
    if (result->replay.outcome != GZ_REPLAY_CONFIRMED) {
        fputs(": ", stream);
        gz_plain_put(stream, result->replay.message);
    } else {
        write_claim_text(stream, m);
        fprintf(stream,
                " (%" PRIu64 " intervals, %" PRIu64 " pairs on them, %" PRIu64
                " triangle pairs by rationals)",
                result->intervals, result->replay.pairs, result->replay.item_pairs);
    }
    fputc('\n', stream);
}

static void write_motion_json(gz_json *json, uint64_t index, const gz_dump_motion *m,
                              const gz_motion_result *result) {
    static const char *const verdicts[] = {"free", "collision", "undecided"};
    gz_json_put(json, "{ motion=%" PRIu64 " result=%s verdict=%s earliest=%g latest=%g", index,
                outcome_keys[result->replay.outcome], verdicts[m->verdict], m->earliest, m->latest);
    if (m->is_curve) gz_json_put(json, "begin=%g end=%g", m->times[0], m->times[1]);
    if (result->replay.outcome != GZ_REPLAY_CONFIRMED)
        gz_json_put(json, "message=%s", result->replay.message);
    gz_json_put(json, "intervals=%" PRIu64 " pairs=%" PRIu64 " triangle_pairs=%" PRIu64 " }",
                result->intervals, result->replay.pairs, result->replay.item_pairs);
}

static size_t count_skipped(const gz_dump_scene *scene) {
    size_t skipped = 0;
    for (size_t i = 0; i < scene->pair_count; i++) skipped += scene->pairs[i].skipped;
    return skipped;
}

/// What the dump is about, and what it leaves out.
static void write_summary_text(FILE *stream, const gz_dump_scene *scene, const tally *t) {
    const uint64_t *n = t->outcomes;
    size_t skipped = count_skipped(scene);
    fprintf(stream, "%" PRIu64 " configuration%s of ", t->configurations,
            t->configurations == 1 ? "" : "s");
    gz_plain_put(stream, scene->robot);
    fprintf(stream,
            ": %" PRIu64 " free and %" PRIu64 " in collision confirmed, %" PRIu64
            " within tolerance, %" PRIu64 " undecided, %" PRIu64 " without verdict, %" PRIu64
            " refuted\n",
            t->free, n[GZ_REPLAY_CONFIRMED] - t->free, n[GZ_REPLAY_TOLERATED],
            n[GZ_REPLAY_UNDECIDED], n[GZ_REPLAY_UNCLAIMED], n[GZ_REPLAY_REFUTED]);
    fprintf(stream,
            "%zu pairs are checked, %zu are not; decided anew: %" PRIu64 " pairs, %" PRIu64
            " triangle pairs by rationals, %" PRIu64 " winding numbers\n",
            scene->pair_count - skipped, skipped, t->pairs, t->item_pairs, t->points);
    const uint64_t *m = t->motion_outcomes;
    if (t->motions > 0)
        fprintf(stream,
                "%" PRIu64 " motion%s: %" PRIu64 " confirmed, %" PRIu64 " undecided, %" PRIu64
                " without verdict, %" PRIu64 " refuted\n",
                t->motions, t->motions == 1 ? "" : "s", m[GZ_REPLAY_CONFIRMED],
                m[GZ_REPLAY_UNDECIDED], m[GZ_REPLAY_UNCLAIMED], m[GZ_REPLAY_REFUTED]);
}

static void write_summary_json(gz_json *json, const gz_dump_scene *scene, const tally *t) {
    const uint64_t *n = t->outcomes;
    size_t skipped = count_skipped(scene);
    fputc('\n', json->stream);
    gz_json_put(json, "]");
    gz_json_gap(json, "\n");
    gz_json_put(
        json,
        "summary={ configurations=%" PRIu64 " free=%" PRIu64 " collision=%" PRIu64
        " tolerated=%" PRIu64 " undecided=%" PRIu64 " no_verdict=%" PRIu64 " refuted=%" PRIu64,
        t->configurations, t->free, n[GZ_REPLAY_CONFIRMED] - t->free, n[GZ_REPLAY_TOLERATED],
        n[GZ_REPLAY_UNDECIDED], n[GZ_REPLAY_UNCLAIMED], n[GZ_REPLAY_REFUTED]);
    gz_json_gap(json, "\n ");
    gz_json_put(json, "pairs_checked=%zu", scene->pair_count - skipped);
    gz_json_gap(json, NULL);
    gz_json_put(json,
                "pairs_not_checked=%zu pairs=%" PRIu64 " triangle_pairs=%" PRIu64
                " winding_numbers=%" PRIu64,
                skipped, t->pairs, t->item_pairs, t->points);
    const uint64_t *m = t->motion_outcomes;
    if (t->motions > 0)
        gz_json_put(json,
                    "motions={ confirmed=%" PRIu64 " undecided=%" PRIu64 " no_verdict=%" PRIu64
                    " refuted=%" PRIu64 " }",
                    m[GZ_REPLAY_CONFIRMED], m[GZ_REPLAY_UNDECIDED], m[GZ_REPLAY_UNCLAIMED],
                    m[GZ_REPLAY_REFUTED]);
    gz_json_finish(json);
}

// ------------------------------------------------------------------------------------------- work

/// A dump that is being verified.
typedef struct verification {
    const verify_options *options;
    gz_dump_text text;
    gz_dump_scene scene;
    gz_dump_configuration configuration;
    gz_replay *replay;
    gz_kinematics *kinematics;
    gz_motion_replay *motions;
    bool pending; ///< a motion whose collision the next configuration has to be
    uint64_t motion_index;
    gz_dump_motion motion; ///< that one; its numbers are not used
    gz_motion_result motion_result;
    tally tally;
    FILE *out;
    gz_json json;
    graze_error error;
} verification;

static void write_result(verification *v, const gz_replay_result *result) {
    const gz_dump_configuration *c = &v->configuration;
    if (v->options->format == 1)
        write_json(&v->json, &v->scene, c, result);
    else if (!v->options->quiet || result->outcome != GZ_REPLAY_CONFIRMED)
        write_text(v->out, &v->scene, c, result);
}

static graze_status prepare(verification *v) {
    GZ_TRY(gz_dump_read_scene(&v->text, &v->scene));
    v->replay = gz_replay_create(&v->scene);
    if (v->replay == NULL) return gz_dump_no_memory(&v->text);
    return v->options->kinematics ? gz_kinematics_create(&v->kinematics, &v->text, &v->scene)
                                  : GRAZE_OK;
}

/// Ends the motion that waits for its collision: `next` is the configuration behind it, or NULL.
static void end_motion(verification *v, const gz_dump_configuration *next,
                       gz_replay_outcome outcome) {
    if (!v->pending) return;
    v->pending = false;
    gz_motion_result *result = &v->motion_result;
    gz_motion_replay_end(v->motions, next, outcome, result);
    v->tally.motions++;
    v->tally.motion_outcomes[result->replay.outcome]++;
    if (v->options->format == 1)
        write_motion_json(&v->json, v->motion_index, &v->motion, result);
    else if (!v->options->quiet || result->replay.outcome != GZ_REPLAY_CONFIRMED)
        write_motion_text(v->out, v->motion_index, &v->motion, result);
}

/// Makes what follows q, from the first motion on: without it nothing is known of a way.
static graze_status prepare_motions(verification *v) {
    if (!v->configuration.has_motion || v->motions != NULL) return GRAZE_OK;
    if (v->kinematics == NULL) GZ_TRY(gz_kinematics_create(&v->kinematics, &v->text, &v->scene));
    v->motions = gz_motion_replay_create(&v->scene, v->kinematics);
    return v->motions != NULL ? GRAZE_OK : gz_dump_no_memory(&v->text);
}

/// The motion that begins at the configuration that was decided.
static graze_status replay_motion(verification *v, gz_replay_outcome start) {
    const gz_dump_configuration *c = &v->configuration;
    if (!c->has_motion) return GRAZE_OK;
    if (!gz_motion_replay_run(v->motions, c, start, GZ_MOTION_REPLAY_TESTS, &v->motion_result))
        return gz_dump_no_memory(&v->text);
    v->pending = true;
    v->motion_index = c->index;
    v->motion = c->motion;
    if (c->motion.verdict != GZ_DUMP_MOTION_COLLISION) end_motion(v, NULL, start);
    return GRAZE_OK;
}

/// Decides every configuration.
static graze_status replay(verification *v, gz_progress *progress) {
    for (bool end = false; ferror(v->out) == 0;) {
        GZ_TRY(gz_dump_read_configuration(&v->text, &v->scene, v->tally.configurations,
                                          &v->configuration, &end));
        if (end) break;
        if (gz_interrupted()) return gz_fail(&v->error, GRAZE_ERROR_CANCELLED, "interrupted");
        gz_replay_result result;
        GZ_TRY(prepare_motions(v));
        gz_replay_run(v->replay, &v->configuration, &result);
        if (v->kinematics != NULL) gz_kinematics_check(v->kinematics, &v->configuration, &result);
        count(&v->tally, &v->configuration, &result);
        write_result(v, &result);
        end_motion(v, &v->configuration, result.outcome);
        GZ_TRY(replay_motion(v, result.outcome));
        gz_progress_update(progress, v->tally.configurations, -1, "configurations");
    }
    end_motion(v, NULL, GZ_REPLAY_REFUTED);
    return GRAZE_OK;
}

static graze_status run(verification *v) {
    GZ_TRY(prepare(v));
    gz_progress progress = gz_progress_start(v->options->quiet);
    if (v->options->format == 1) {
        v->json = gz_json_begin(v->out, "graze-verify-1");
        gz_json_put(&v->json, "robot=%s results=[", v->scene.robot);
        gz_json_gap(&v->json, "\n");
    }
    graze_status status = replay(v, &progress);
    gz_progress_clear(&progress);
    if (status != GRAZE_OK) return status;
    if (v->options->format == 1)
        write_summary_json(&v->json, &v->scene, &v->tally);
    else
        write_summary_text(v->out, &v->scene, &v->tally);
    return GRAZE_OK;
}

static void release(verification *v) {
    gz_motion_replay_free(v->motions);
    gz_kinematics_free(v->kinematics);
    gz_replay_free(v->replay);
    gz_dump_configuration_free(&v->configuration);
    gz_dump_scene_free(&v->scene);
    gz_dump_text_free(&v->text);
}

static int verify(const verify_options *o, const char *name, FILE *stream) {
    gz_output output;
    GZ_TRY_EXIT(gz_output_open(&output, o->output));
    int status;
    verification v = {.options = o, .out = output.stream};
    v.text = (gz_dump_text){
        .stream = stream, .name = name, .error = &v.error, .cancel = gz_interrupt_flag()};
    gz_interrupt_catch();
    if (run(&v) == GRAZE_OK) {
        status = gz_output_finish(&output);
        if (status == GZ_EXIT_FINE && v.tally.configurations == 0) {
            gz_message("%s: no configurations; allowed: one at least, nothing was verified", name);
            status = GZ_EXIT_INPUT;
        }
        if (status == GZ_EXIT_FINE) status = exit_of(&v.tally);
    } else {
        fflush(output.stream);
        gz_output_abandon(&output);
        status = gz_message_error("verify", &v.error);
    }
    release(&v);
    return status;
}

int gz_command_verify(int argc, char **argv) {
    verify_options options = {0};
    const char *file = NULL;
    int status = parse(&options, &file, argc, argv);
    if (status != GZ_GO_ON) return status;
    if (strcmp(file, "-") == 0) return verify(&options, "<stdin>", stdin);
    FILE *stream = fopen(file, "rb");
    if (stream == NULL) {
        gz_message("%s: cannot be read: %s", file, strerror(errno));
        return GZ_EXIT_INPUT;
    }
    status = verify(&options, file, stream);
    fclose(stream);
    return status;
}
