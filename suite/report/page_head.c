/* SPDX-License-Identifier: BSD-3-Clause */
/* page_head.c: the head of the report's page, and what was measured where, over what, and when. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "common/html.h"
#include "common/memory.h"
#include "page.h"

static const char *meta(const suite_page *page, const char *key)
{
    const char *value = page->first ? cm_record_meta(page->first, key) : NULL;
    return value && *value ? value : NULL;
}

static const char *either(const char *a, const char *b) { return a ? a : b; }

/* An optional part of the sentence. */
static void print_if(FILE *out, const char *template, const char *text)
{
    if (text && *text) html_print(out, template, text);
}

static void print_start(const suite_page *page, const char *where)
{
    static const char start[] =
        "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
        "<meta charset=\"utf-8\" />\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
        "<title>clustermark: %h</title>\n<style>\n%s</style>\n"
        "</head>\n<body class=\"report\">\n<a class=\"skip\" href=\"#main\">To the results</a>\n"
        "<header>\n<h1>clustermark report</h1>\n";
    html_print(page->out, start, where, page->style);
}

static void print_run(const suite_page *page, const char *where)
{
    FILE *out = page->out;
    char *told_comm = suite_folder_metadata(page->dir, "comm");
    char *date = suite_folder_metadata(page->dir, "date");
    char *profile = suite_folder_metadata(page->dir, "profile");
    const char *comm = either(meta(page, "comm"), told_comm);
    const char *place = page->place->name;
    if (place && page->place->is_virtual)
        html_print(out, "<p>Virtual hosts: <a href=\"#place\">%h</a>. ", place);
    else if (place) html_print(out, "<p>Simulated: <a href=\"#place\">%h</a>. ", place);
    else html_print(out, "<p>");
    html_print(out, "Measured on <strong>%h</strong> (host:ranks", where);
    if (!place || page->place->is_virtual) print_if(out, "; %h", meta(page, "cpu"));
    html_print(out, ") over the backend <strong>%h</strong>", comm);
    print_if(out, " (%h)", meta(page, "comm_version"));
    print_if(out, ", transport %h", meta(page, "transport"));
    html_print(out, ", %h", either(meta(page, "date"), date));
    print_if(out, ", profile %h", profile);
    html_print(out, ", clustermark %h.</p>\n", PACKAGE_VERSION);
    if (comm && strcmp(comm, "dummy") == 0)
        html_print(out, "<p class=\"note\">The dummy backend answers on a virtual clock: these "
                        "numbers test the measuring and say nothing about this machine.</p>\n");
    free(told_comm);
    free(date);
    free(profile);
}

/* Hosts with their ranks; of many hosts only their number. */
static char *where_of(const suite_page *page)
{
    enum { LONG = 120 };
    const char *where =
        either(either(meta(page, "ranks_per_host"), meta(page, "host")), "unknown machine");
    const char *hosts = meta(page, "hosts");
    if (strlen(where) <= LONG || !hosts) return suite_copy(where);
    return suite_text("%.*s ... (%s hosts)", (int)strcspn(where, " "), where, hosts);
}

void page_head(suite_page *page)
{
    char *where = where_of(page);
    print_start(page, where);
    html_print(page->out, "</header>\n");
    page_contents(page);
    html_print(page->out, "<main id=\"main\">\n");
    free(where);
}

void page_about(suite_page *page)
{
    char *where = where_of(page);
    html_print(page->out, "<section id=\"about\">\n<h2>What was measured</h2>\n");
    print_run(page, where);
    html_print(page->out, "</section>\n");
    free(where);
}
