#include "cli/view/view_server.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/platform.h"
#include "cli/message.h"

enum { TOKEN_BYTES = 16, CONNECTIONS = 64, CONNECTION_SECONDS = 30 };

/// libmicrohttpd, opened when a page is to be served: with the libraries that it needs (GnuTLS
/// among them) it would double the time in which every command starts.
#define HTTP_FUNCTIONS(X)                                                                          \
    X(start_daemon)                                                                                \
    X(get_daemon_info)                                                                             \
    X(run_wait)                                                                                    \
    X(stop_daemon)                                                                                 \
    X(lookup_connection_value)                                                                     \
    X(create_response_from_buffer)                                                                 \
    X(add_response_header)                                                                         \
    X(queue_response)                                                                              \
    X(destroy_response)

typedef struct http_library {
    void *handle; ///< of dlopen()
#define HTTP_MEMBER(name) __typeof__(MHD_##name) *name;
    HTTP_FUNCTIONS(HTTP_MEMBER)
} http_library;

struct gz_view_server {
    http_library http;
    struct MHD_Daemon *daemon;
    struct MHD_Response *page;
    char token[2 * TOKEN_BYTES + 1];
    char hosts[2][32]; ///< what requests may name
    char address[128];
    uint64_t number; ///< of the page that is served
    bool failing;
    gz_drop_handler *take_drop; ///< NULL: nothing is accepted
    void *drop_user;
};

/// What a request has sent so far.
typedef struct upload {
    char *bytes;
    size_t count, capacity;
    bool refused; ///< it is too large
} upload;

// ------------------------------------------------------------------------------------- library

/// Opens the version whose header this was compiled with. Returns an exit status, its message
/// printed.
static int open_library(http_library *http) {
    static const char file[] = "libmicrohttpd.so.12";
    http->handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    void *found = http->handle;
#define HTTP_FIND(name)                                                                            \
    if (found != NULL) found = dlsym(http->handle, "MHD_" #name);                                  \
    memcpy(&http->name, &found, sizeof found);
    HTTP_FUNCTIONS(HTTP_FIND)
    if (found != NULL) return GZ_EXIT_FINE;
    gz_message("%s cannot be opened: %s; allowed: its Debian package libmicrohttpd12, or -o FILE",
               file, dlerror());
    return GZ_EXIT_INPUT;
}

// ------------------------------------------------------------------------------------- answers

static void add_headers(const http_library *http, struct MHD_Response *response, const char *type) {
    static const char *const headers[][2] = {
        {MHD_HTTP_HEADER_CACHE_CONTROL, "no-store"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"X-Frame-Options", "DENY"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        http->add_response_header(response, headers[i][0], headers[i][1]);
    http->add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
}

static enum MHD_Result answer_text(const http_library *http, struct MHD_Connection *connection,
                                   unsigned status, const char *type, const char *text) {
    struct MHD_Response *response = http->create_response_from_buffer(
        strlen(text), (void *)(uintptr_t)text, MHD_RESPMEM_MUST_COPY);
    if (response == NULL) return MHD_NO;
    add_headers(http, response, type);
    enum MHD_Result queued = http->queue_response(connection, status, response);
    http->destroy_response(response);
    return queued;
}

static enum MHD_Result refuse(const http_library *http, struct MHD_Connection *connection,
                              unsigned status, const char *text) {
    return answer_text(http, connection, status, "text/plain; charset=utf-8", text);
}

/// Whether a path begins with the token; how long that takes says nothing of where they differ.
static bool has_token(const gz_view_server *server, const char *url) {
    size_t length = 2 * TOKEN_BYTES;
    if (url[0] != '/' || strlen(url) < length + 2 || url[length + 1] != '/') return false;
    unsigned differ = 0;
    for (size_t i = 0; i < length; i++)
        differ |= (unsigned char)url[i + 1] ^ (unsigned char)server->token[i];
    return differ == 0;
}

static bool is_own_host(const gz_view_server *server, const char *host) {
    return host != NULL &&
           (strcasecmp(host, server->hosts[0]) == 0 || strcasecmp(host, server->hosts[1]) == 0);
}

/// Requests of pages say where they come from; other programs do not.
static bool is_own_origin(const gz_view_server *server, const char *origin) {
    static const char scheme[] = "http://";
    return origin == NULL || (strncmp(origin, scheme, sizeof scheme - 1) == 0 &&
                              is_own_host(server, origin + sizeof scheme - 1));
}

static void free_upload(void *user, struct MHD_Connection *connection, void **request,
                        enum MHD_RequestTerminationCode code) {
    (void)user;
    (void)connection;
    (void)code;
    upload *sent = *request;
    if (sent != NULL) gz_free(sent->bytes);
    gz_free(sent);
    *request = NULL;
}

/// Takes a dropped robot piece by piece, and answers in the end.
static enum MHD_Result take_upload(const gz_view_server *server, struct MHD_Connection *connection,
                                   const char *bytes, size_t *size, void **request) {
    const http_library *http = &server->http;
    upload *sent = *request;
    if (sent == NULL) {
        *request = gz_calloc(1, sizeof *sent);
        return *request != NULL ? MHD_YES : MHD_NO;
    }
    if (*size > 0) {
        sent->refused |= *size > GZ_DROP_MAX - sent->count ||
                         !GZ_RESERVE(sent->bytes, sent->capacity, sent->count + *size);
        if (!sent->refused) {
            memcpy(sent->bytes + sent->count, bytes, *size);
            sent->count += *size;
        }
        *size = 0;
        return MHD_YES;
    }
    if (sent->refused)
        return refuse(http, connection, MHD_HTTP_CONTENT_TOO_LARGE,
                      "allowed: a file of 16 MiB at most\n");
    int status = server->take_drop(server->drop_user, sent->bytes, sent->count);
    if (status == GZ_EXIT_FINE) return refuse(http, connection, MHD_HTTP_OK, "it is shown\n");
    return refuse(http, connection, MHD_HTTP_UNPROCESSABLE_CONTENT,
                  "the robot cannot be read: the terminal says why\n");
}

static enum MHD_Result answer(void *user, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *sent,
                              size_t *sent_size, void **request) {
    (void)version;
    const gz_view_server *server = user;
    const http_library *http = &server->http;
    const char *host = http->lookup_connection_value(connection, MHD_HEADER_KIND,
                                                     MHD_HTTP_HEADER_HOST);
    if (!is_own_host(server, host))
        return refuse(http, connection, MHD_HTTP_FORBIDDEN,
                      "this server answers 127.0.0.1 alone\n");
    const char *rest = has_token(server, url) ? url + 2 * TOKEN_BYTES + 2 : NULL;
    const char *origin = http->lookup_connection_value(connection, MHD_HEADER_KIND,
                                                       MHD_HTTP_HEADER_ORIGIN);
    if (strcmp(method, MHD_HTTP_METHOD_POST) == 0 && rest != NULL && strcmp(rest, "robot") == 0 &&
        server->take_drop != NULL && is_own_origin(server, origin))
        return take_upload(server, connection, sent, sent_size, request);
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
        return refuse(http, connection, MHD_HTTP_METHOD_NOT_ALLOWED, "allowed: GET, HEAD\n");
    if (rest == NULL)
        return refuse(http, connection, MHD_HTTP_NOT_FOUND,
                      "there is nothing here; graze view has printed the address\n");
    if (rest[0] == '\0') return http->queue_response(connection, MHD_HTTP_OK, server->page);
    if (strcmp(rest, "number") != 0)
        return refuse(http, connection, MHD_HTTP_NOT_FOUND, "there is no such page\n");
    char text[64];
    snprintf(text, sizeof text, "{\"number\":%" PRIu64 ",\"failing\":%s}\n", server->number,
             server->failing ? "true" : "false");
    return answer_text(http, connection, MHD_HTTP_OK, "application/json", text);
}

/// Paths count as they were sent: none of this server's has an escape.
static size_t leave_escapes(void *user, struct MHD_Connection *connection, char *text) {
    (void)user;
    (void)connection;
    return strlen(text);
}

// -------------------------------------------------------------------------------------- the server

static bool make_token(char token[2 * TOKEN_BYTES + 1]) {
    unsigned char bytes[TOKEN_BYTES];
    FILE *random = fopen("/dev/urandom", "rb");
    bool good = random != NULL && fread(bytes, 1, TOKEN_BYTES, random) == TOKEN_BYTES;
    if (random != NULL) fclose(random);
    for (size_t i = 0; good && i < TOKEN_BYTES; i++) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return good;
}

static bool listen_on(gz_view_server *server, uint16_t port) {
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(port)};
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server->daemon = server->http.start_daemon(
        MHD_NO_FLAG, port, NULL, NULL, answer, server, MHD_OPTION_SOCK_ADDR,
        (struct sockaddr *)&place, MHD_OPTION_UNESCAPE_CALLBACK, leave_escapes, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, free_upload, NULL, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)CONNECTION_SECONDS,
        MHD_OPTION_END);
    if (server->daemon == NULL) return false;
    const union MHD_DaemonInfo *info = server->http.get_daemon_info(server->daemon,
                                                                    MHD_DAEMON_INFO_BIND_PORT);
    unsigned own = info != NULL ? info->port : port;
    snprintf(server->hosts[0], sizeof server->hosts[0], "127.0.0.1:%u", own);
    snprintf(server->hosts[1], sizeof server->hosts[1], "localhost:%u", own);
    snprintf(server->address, sizeof server->address, "http://127.0.0.1:%u/%s/", own,
             server->token);
    return true;
}

int gz_view_server_start(gz_view_server **out, uint16_t port) {
    *out = NULL;
    gz_view_server *server = gz_calloc(1, sizeof *server);
    if (server == NULL) return gz_message_no_memory();
    int status = open_library(&server->http);
    if (status != GZ_EXIT_FINE) {
        gz_view_server_free(server);
        return status;
    }
    char buffer[128];
    errno = 0;
    if (make_token(server->token) && listen_on(server, port)) {
        *out = server;
        return GZ_EXIT_FINE;
    }
    gz_message("127.0.0.1 port %u: cannot be listened on%s%s", (unsigned)port,
               errno != 0 ? ": " : "",
               errno != 0 ? gz_errno_text(errno, buffer, sizeof buffer) : "");
    gz_view_server_free(server);
    return GZ_EXIT_INPUT;
}

void gz_view_server_free(gz_view_server *server) {
    if (server == NULL) return;
    const http_library *http = &server->http;
    if (server->daemon != NULL) http->stop_daemon(server->daemon);
    if (server->page != NULL) http->destroy_response(server->page);
    if (http->handle != NULL) dlclose(http->handle);
    gz_free(server);
}

const char *gz_view_server_address(const gz_view_server *server) {
    return server->address;
}

void gz_view_server_accept(gz_view_server *server, gz_drop_handler *handler, void *user) {
    server->take_drop = handler;
    server->drop_user = user;
}

uint64_t gz_view_server_next(const gz_view_server *server) {
    return server->number + 1;
}

bool gz_view_server_publish(gz_view_server *server, char *page, size_t size) {
    const http_library *http = &server->http;
    struct MHD_Response *response = http->create_response_from_buffer(size, page,
                                                                      MHD_RESPMEM_MUST_FREE);
    if (response == NULL) {
        free(page);
        return false;
    }
    add_headers(http, response, "text/html; charset=utf-8");
    // What is being sent of the last one has a count of its own.
    if (server->page != NULL) http->destroy_response(server->page);
    server->page = response;
    server->number++;
    server->failing = false;
    return true;
}

void gz_view_server_fail(gz_view_server *server) {
    server->failing = true;
}

void gz_view_server_run(gz_view_server *server, int32_t milliseconds) {
    server->http.run_wait(server->daemon, milliseconds);
}
