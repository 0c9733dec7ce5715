/// The server of `graze view`: one page, on 127.0.0.1 alone, at an address that holds a random
/// token. Requests that name another host are refused, so no other site can read the page through a
/// name of its own.
#ifndef GZ_CLI_VIEW_VIEW_SERVER_H
#define GZ_CLI_VIEW_VIEW_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gz_view_server gz_view_server;

/// Listens on a port; 0: any that is free. It answers while gz_view_server_run() runs.
/// Returns an exit status, its message printed.
/// @param server [out] free with gz_view_server_free(); NULL on failure
int gz_view_server_start(gz_view_server **server, uint16_t port);
/// NULL is allowed.
void gz_view_server_free(gz_view_server *server);

/// Takes the bytes of a robot that somebody has dropped on the page. What it returns (an exit
/// status) is what the page is told; meanwhile nothing else is answered.
typedef int gz_drop_handler(void *user, const char *text, size_t size);

/// Has dropped robots accepted, by a POST to `robot` behind the token, of GZ_DROP_MAX bytes at
/// most.
enum { GZ_DROP_MAX = 16 << 20 };
void gz_view_server_accept(gz_view_server *server, gz_drop_handler *handler, void *user);

/// Where the page is, with the token.
const char *gz_view_server_address(const gz_view_server *server);

/// The number that the next page has.
uint64_t gz_view_server_next(const gz_view_server *server);

/// Serves another page from now on; pages that are open load it.
/// @param page of malloc(); the server's from now on
/// False when out of memory.
bool gz_view_server_publish(gz_view_server *server, char *page, size_t size);

/// Pages that are open say that the files cannot be read now, until the next is published.
void gz_view_server_fail(gz_view_server *server);

/// Answers what comes within so many milliseconds.
void gz_view_server_run(gz_view_server *server, int32_t milliseconds);

#endif
