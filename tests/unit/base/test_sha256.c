// SHA-256 against the examples of FIPS 180-4 and digests of sha256sum.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/sha256.h"

static void check(const char *text, size_t times, size_t piece, const char *expected) {
    gz_sha256 hash = gz_sha256_begin();
    char digest[GZ_SHA256_TEXT];
    size_t size = strlen(text);
    for (size_t i = 0; i < times; i++)
        for (size_t at = 0; at < size; at += piece)
            gz_sha256_add(&hash, text + at, size - at < piece ? size - at : piece);
    gz_sha256_finish(&hash, digest);
    assert_string_equal(digest, expected);
}

static void test_known_digests(void **state) {
    (void)state;
    static const char two_blocks[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    check("", 1, 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    for (size_t piece = 1; piece < 60; piece += 29) {
        check("abc", 1, piece, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        check(two_blocks, 1, piece,
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    }
    check("a", 1000000, 1, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known_digests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
