#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/memory.h"
#include "load/token.h"
#include "load/xml/xml.h"

static graze_limits limits(void) {
    return graze_load_options_default().limits;
}

static gz_xml_document *parse_n(const char *text, size_t size) {
    gz_xml_document *document;
    graze_error error;
    graze_limits all = limits();
    if (gz_xml_parse(&document, text, size, "test.xml", &all, &error) != GRAZE_OK)
        fail_msg("%d:%d %s", error.line, error.column, error.message);
    return document;
}

static gz_xml_document *parse(const char *text) {
    return parse_n(text, strlen(text));
}

static void assert_refused(const char *text, size_t size, const graze_limits *all,
                           graze_status status, int line, int column, const char *element,
                           const char *message) {
    gz_xml_document *document = NULL;
    graze_error error;
    memset(&error, 0x55, sizeof error);
    assert_int_equal(gz_xml_parse(&document, text, size, "test.xml", all, &error), status);
    assert_null(document);
    assert_int_equal(error.status, status);
    assert_string_equal(error.file, "test.xml");
    if (error.line != line || error.column != column || strcmp(error.element, element) != 0 ||
        !strstr(error.message, message))
        fail_msg("got %d:%d %s: %s", error.line, error.column, error.element, error.message);
}

static void test_tree_holds_what_the_file_says(void **state) {
    (void)state;
    gz_xml_document *d = parse(
        "<?xml version=\"1.0\"?>\n<a x='1' y=\"&lt;&#65;&quot;\"><!-- no -->\n"
        "  <b/> text \n  <c> some <![CDATA[<b>]]> words </c><b z=''/></a>");
    const gz_xml_element *a = gz_xml_root(d);
    assert_string_equal(a->tag, "a");
    assert_null(a->parent);
    assert_int_equal(a->attribute_count, 2);
    assert_string_equal(gz_xml_get(a, "x"), "1");
    assert_string_equal(gz_xml_get(a, "y"), "<A\"");
    assert_null(gz_xml_get(a, "z"));
    const gz_xml_element *b = gz_xml_child(a, "b");
    assert_ptr_equal(b, a->first_child);
    assert_string_equal(b->next->tag, "c");
    assert_string_equal(b->next->text, "some <b> words");
    const gz_xml_element *second = gz_xml_next(b);
    assert_ptr_equal(second, a->last_child);
    assert_string_equal(gz_xml_get(second, "z"), "");
    assert_null(gz_xml_next(second));
    assert_null(gz_xml_child(a, "d"));
    assert_string_equal(b->text, "");
    gz_xml_free(d);
}

static void test_lines_and_columns_count_characters_from_one(void **state) {
    (void)state;
    gz_xml_document *d = parse("<a>\n  <b/><c/>\r\n\t<d/> \xc3\xa4\xe2\x82\xac<e\n  x='1'/></a>");
    const gz_xml_element *a = gz_xml_root(d);
    static const struct {
        const char *tag;
        int line, column;
    } places[] = {{"b", 2, 3}, {"c", 2, 7}, {"d", 3, 2}, {"e", 3, 9}};
    assert_int_equal(a->line, 1);
    assert_int_equal(a->column, 1);
    for (size_t i = 0; i < 4; i++) {
        const gz_xml_element *e = gz_xml_child(a, places[i].tag);
        assert_int_equal(e->line, places[i].line);
        assert_int_equal(e->column, places[i].column);
    }
    gz_xml_free(d);
}

/// Every element, attribute and error stands where it stands in the file.
static void test_blanks_before_the_declaration_move_no_place(void **state) {
    (void)state;
    static const char text[] = "\n \t\n <?xml version='1.0'?>\n <a>\n  <b x='1'/></a>";
    gz_xml_document *d = parse(text);
    const gz_xml_element *a = gz_xml_root(d), *b = gz_xml_child(a, "b");
    assert_true(a->line == 4 && a->column == 2);
    assert_true(b->line == 5 && b->column == 3);
    assert_ptr_equal(text + gz_xml_find(b, "x")->begin, strrchr(text, '1'));
    gz_xml_free(d);
    assert_int_equal(gz_xml_blanks_before(text, sizeof text - 1), 5);
    assert_int_equal(gz_xml_blanks_before(" <a/>", 5), 0);
    assert_int_equal(gz_xml_blanks_before(" <?xml", 6), 0);
    graze_limits all = limits();
    static const char broken[] = "\n<?xml version='1.0'?>\n<a>\n</b>", bare[] = "\n<?xml ?>";
    assert_refused(broken, sizeof broken - 1, &all, GRAZE_ERROR_PARSE, 4, 3, "/a", "mismatched");
    gz_xml_document *none;
    assert_int_not_equal(gz_xml_parse(&none, bare, sizeof bare - 1, "f", &all, NULL), GRAZE_OK);
    for (size_t n = 0; n < sizeof text - 1; n++)
        assert_int_equal(gz_xml_parse(&none, text, n, "f", &all, NULL), GRAZE_ERROR_PARSE);
}

static void test_places_hold_beyond_the_parsers_buffer(void **state) {
    (void)state;
    // Longer than expat's pieces and than this parser's blocks.
    enum { LINES = 30000, WIDTH = 24 };
    char *text = gz_malloc(LINES * WIDTH + 32, 1), *p = text;
    p += sprintf(p, "<a>\n");
    for (int i = 0; i < LINES; i++) p += sprintf(p, "  <b i='%d'/>\n", i);
    p += sprintf(p, "</a>");
    gz_xml_document *d = parse_n(text, (size_t)(p - text));
    int i = 0;
    for (const gz_xml_element *b = gz_xml_child(gz_xml_root(d), "b"); b; b = gz_xml_next(b), i++) {
        assert_int_equal(b->line, i + 2);
        assert_int_equal(b->column, 3);
        assert_int_equal(b->ordinal, i + 1);
        assert_int_equal(b->namesakes, LINES);
    }
    assert_int_equal(i, LINES);
    gz_xml_free(d);
    gz_free(text);
}

static void test_byte_order_mark_and_utf16_are_read(void **state) {
    (void)state;
    gz_xml_document *d = parse("\xef\xbb\xbf<a x='\xc3\xa4'>\n<b/></a>");
    assert_string_equal(gz_xml_get(gz_xml_root(d), "x"), "\xc3\xa4");
    assert_int_equal(gz_xml_root(d)->line, 1);
    assert_int_equal(gz_xml_child(gz_xml_root(d), "b")->column, 1);
    gz_xml_free(d);
    static const char ascii[] = "<a x='1'>\n <b/></a>";
    char wide[2 * sizeof ascii] = {'\xff', '\xfe'};
    for (size_t i = 0; i + 1 < sizeof ascii; i++) wide[2 + 2 * i] = ascii[i];
    d = parse_n(wide, 2 * sizeof ascii);
    assert_string_equal(gz_xml_get(gz_xml_root(d), "x"), "1");
    assert_int_equal(gz_xml_child(gz_xml_root(d), "b")->line, 2);
    assert_int_equal(gz_xml_child(gz_xml_root(d), "b")->column, 2);
    gz_xml_free(d);
    d = parse("<?xml version='1.0' encoding='ISO-8859-1'?><a x='\xe4'/>");
    assert_string_equal(gz_xml_get(gz_xml_root(d), "x"), "\xc3\xa4");
    gz_xml_free(d);
}

static void test_line_breaks_and_tabs_in_values_are_seen(void **state) {
    (void)state;
    gz_xml_document *d = parse(
        "<a\n\tp='1 2' q='1\t2' r=\"1\n2\" s='\"\"'\tt='1&#9;2'\nu='\r\n'/>");
    const gz_xml_element *a = gz_xml_root(d);
    assert_false(gz_xml_find(a, "p")->odd_space);
    assert_true(gz_xml_find(a, "q")->odd_space);
    assert_string_equal(gz_xml_get(a, "q"), "1 2");
    assert_true(gz_xml_find(a, "r")->odd_space);
    assert_false(gz_xml_find(a, "s")->odd_space);
    assert_string_equal(gz_xml_get(a, "t"), "1\t2");
    assert_true(gz_xml_find(a, "u")->odd_space);
    gz_xml_free(d);
}

static void test_element_paths(void **state) {
    (void)state;
    gz_xml_document *d = parse(
        "<robot><link name='arm'><visual/><collision><geometry><mesh/></geometry></collision>"
        "<collision name='c'><geometry><mesh/></geometry></collision></link><link/>"
        "<joint name=\"it's\"/><gazebo/></robot>");
    const gz_xml_element *arm = gz_xml_child(gz_xml_root(d), "link");
    char path[GRAZE_PATH_SIZE];
    const gz_xml_element *second = gz_xml_next(gz_xml_child(arm, "collision"));
    assert_string_equal(gz_xml_path(second->first_child->first_child, path, sizeof path),
                        "/robot/link[@name='arm']/collision[2]/geometry/mesh");
    assert_string_equal(gz_xml_path(gz_xml_child(arm, "visual"), path, sizeof path),
                        "/robot/link[@name='arm']/visual");
    assert_string_equal(gz_xml_path(gz_xml_next(arm), path, sizeof path), "/robot/link[2]");
    assert_string_equal(gz_xml_path(gz_xml_child(gz_xml_root(d), "joint"), path, sizeof path),
                        "/robot/joint[@name=\"it's\"]");
    assert_string_equal(gz_xml_path(gz_xml_root(d), path, sizeof path), "/robot");
    // What does not fit loses its beginning.
    assert_string_equal(gz_xml_path(second->first_child->first_child, path, 20),
                        "...2]/geometry/mesh");
    gz_xml_free(d);
}

static void test_document_types_are_refused(void **state) {
    (void)state;
    graze_limits all = limits();
    static const char text[] = "<?xml version='1.0'?>\n <!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>";
    assert_refused(text, sizeof text - 1, &all, GRAZE_ERROR_UNSUPPORTED, 2, 2, "", "DOCTYPE");
    static const char plain[] = "<!-- \xc3\xa4 --> <!DOCTYPE\n\n a\n>\n<a/>";
    assert_refused(plain, sizeof plain - 1, &all, GRAZE_ERROR_UNSUPPORTED, 1, 12, "", "DOCTYPE");
}

static void test_malformed_text_names_the_open_element(void **state) {
    (void)state;
    graze_limits all = limits();
    static const char tag[] = "<robot>\n<link name='a'><x/><x>\n</link></robot>";
    assert_refused(tag, sizeof tag - 1, &all, GRAZE_ERROR_PARSE, 3, 3,
                   "/robot/link[@name='a']/x[2]", "mismatched tag");
    assert_refused("", 0, &all, GRAZE_ERROR_PARSE, 1, 1, "", "without an element");
}

static void test_limits_stop_the_parser(void **state) {
    (void)state;
    graze_limits all = limits();
    all.depth = 2;
    gz_xml_document *d;
    assert_int_equal(gz_xml_parse(&d, "<a><b/><b/></a>", 15, "f", &all, NULL), GRAZE_OK);
    gz_xml_free(d);
    static const char deep[] = "<a><b/><b><c/></b></a>";
    assert_refused(deep, sizeof deep - 1, &all, GRAZE_ERROR_LIMIT, 1, 11, "/a/b[2]",
                   "deeper than 2");
    all = limits();
    all.elements = 1; // 64 XML elements
    char text[1000], *p = text + sprintf(text, "<a>");
    for (int i = 0; i < 63; i++) p += sprintf(p, "<b/>");
    assert_refused(text, (size_t)(p - text), &all, GRAZE_ERROR_PARSE, 1, 256, "/a",
                   "ends inside <a>");
    p += sprintf(p, "<b/></a>");
    assert_refused(text, (size_t)(p - text), &all, GRAZE_ERROR_LIMIT, 1, 256, "/a", "at most 64");
    all = limits();
    all.memory_bytes = 100;
    assert_refused("<a><b/></a>", 11, &all, GRAZE_ERROR_LIMIT, 1, 4, "/a", "memory_bytes");
}

static void test_too_many_different_names_are_refused(void **state) {
    (void)state;
    enum { NAMES = 5000 };
    char *text = gz_malloc(NAMES * 16 + 16, 1), *p = text + sprintf(text, "<a>");
    for (int i = 0; i < NAMES; i++) p += sprintf(p, "<b%d/>\n", i);
    p += sprintf(p, "</a>");
    graze_limits all = limits();
    gz_xml_document *d;
    graze_error error;
    assert_int_equal(gz_xml_parse(&d, text, (size_t)(p - text), "f", &all, &error),
                     GRAZE_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "4096 different names"));
    gz_free(text);
}

static void test_attributes_that_are_required(void **state) {
    (void)state;
    gz_xml_document *d = parse("<a x='' y='1 2' z='1 two'/>");
    const gz_xml_element *a = gz_xml_root(d);
    gz_warnings warnings = {0};
    graze_error error;
    gz_xml_source source = {"f.xml", "URDF", &warnings, &error};
    const char *value;
    double v[2];
    bool present;
    assert_int_equal(gz_xml_require(&source, a, "y", &value), GRAZE_OK);
    assert_int_equal(gz_xml_require(&source, a, "x", &value), GRAZE_ERROR_SCHEMA);
    assert_string_equal(error.element, "/a");
    assert_int_equal(gz_xml_require(&source, a, "w", &value), GRAZE_ERROR_SCHEMA);
    assert_int_equal(gz_xml_numbers(&source, a, "y", v, 2, NULL), GRAZE_OK);
    assert_true(v[0] == 1 && v[1] == 2);
    assert_int_equal(gz_xml_numbers(&source, a, "z", v, 2, NULL), GRAZE_ERROR_SCHEMA);
    assert_string_equal(error.message, "attribute z of <a>: \"two\" is not a number; allowed: "
                                       "decimals such as 1, -0.5, 1e-3");
    assert_int_equal(gz_xml_numbers(&source, a, "w", v, 2, &present), GRAZE_OK);
    assert_false(present);
    assert_int_equal(gz_xml_numbers(&source, a, "w", v, 2, NULL), GRAZE_ERROR_SCHEMA);
    assert_int_equal(warnings.count, 0);
    gz_xml_free(d);
}

static void test_unknown_names_are_counted_with_a_suggestion(void **state) {
    (void)state;
    gz_xml_document *d = parse("<link nam='x' name='y' xmlns:q='z' q:r='s'><colision/>\n<colision/>"
                               "<gazebo/><drake:a/><gazebo/><visual/></link>");
    gz_warnings w = {0};
    gz_xml_source source = {"f.xml", "URDF", &w, NULL};
    gz_xml_report_unknown(&source, gz_xml_root(d), "visual collision", "name");
    assert_int_equal(w.count, 5);
    assert_string_equal(w.items[0].code, "unknown-element");
    assert_string_equal(w.items[0].message,
                        "<colision> in <link> is not URDF: ignored (did you mean collision?)");
    assert_int_equal(w.items[0].count, 2);
    assert_string_equal(w.items[0].element, "/link/colision[1]");
    assert_string_equal(w.items[1].code, "extension-ignored");
    assert_int_equal(w.items[1].count, 2);
    assert_string_equal(w.items[3].message,
                        "attribute nam of <link> is not URDF: ignored (did you mean name?)");
    assert_string_equal(w.items[4].code, "extension-ignored");
    gz_warnings_free(&w);
    gz_xml_free(d);
}

static void test_warnings_without_number_stay_countable(void **state) {
    (void)state;
    gz_xml_document *d = parse("<a/>");
    gz_warnings w = {0};
    gz_xml_source source = {"f.xml", "URDF", &w, NULL};
    for (int i = 0; i < 5000; i++) gz_xml_warn(&source, gz_xml_root(d), "x", "number %d", i);
    assert_int_equal(w.count, 501);
    assert_string_equal(w.items[500].code, "more-warnings");
    assert_int_equal(w.items[500].count, 4500);
    gz_warnings_free(&w);
    gz_xml_free(d);
}

/// A file of 4000 names, and then of the first of them, 50,000 times. Alike: their hash, as a table
/// of names once had it, leads to the same slot.
static double seconds_for_names(bool alike) {
    enum { NAMES = 4000, SLOTS = 1024, REPEATS = 50000 };
    static char text[600000];
    char first[16] = "";
    size_t n = (size_t)snprintf(text, sizeof text, "<a>");
    unsigned number = 0;
    for (int i = 0; i < NAMES; number++) {
        char name[16];
        uint32_t hash = 2166136261u;
        snprintf(name, sizeof name, "a%07x", number);
        for (const char *p = name; *p; p++) hash = (hash ^ (unsigned char)*p) * 16777619u;
        if (alike && hash % SLOTS != 0) continue;
        if (!i) memcpy(first, name, sizeof first);
        n += (size_t)snprintf(text + n, sizeof text - n, "<%s/>", name);
        i++;
    }
    for (int i = 0; i < REPEATS; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "<%s/>", first);
    n += (size_t)snprintf(text + n, sizeof text - n, "</a>");
    double best = 1e9;
    for (int i = 0; i < 3; i++) {
        clock_t start = clock();
        gz_xml_free(parse_n(text, n));
        double taken = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (taken < best) best = taken;
    }
    return best;
}

/// Names that fell into one slot took 19 s for 6 MB.
static void test_no_names_are_slower_than_others(void **state) {
    (void)state;
    double any = seconds_for_names(false), alike = seconds_for_names(true);
    if (alike > 4 * any + 0.01) fail_msg("%g s, others take %g s", alike, any);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_holds_what_the_file_says),
        cmocka_unit_test(test_lines_and_columns_count_characters_from_one),
        cmocka_unit_test(test_blanks_before_the_declaration_move_no_place),
        cmocka_unit_test(test_places_hold_beyond_the_parsers_buffer),
        cmocka_unit_test(test_byte_order_mark_and_utf16_are_read),
        cmocka_unit_test(test_line_breaks_and_tabs_in_values_are_seen),
        cmocka_unit_test(test_element_paths),
        cmocka_unit_test(test_document_types_are_refused),
        cmocka_unit_test(test_malformed_text_names_the_open_element),
        cmocka_unit_test(test_limits_stop_the_parser),
        cmocka_unit_test(test_too_many_different_names_are_refused),
        cmocka_unit_test(test_no_names_are_slower_than_others),
        cmocka_unit_test(test_attributes_that_are_required),
        cmocka_unit_test(test_unknown_names_are_counted_with_a_suggestion),
        cmocka_unit_test(test_warnings_without_number_stay_countable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
