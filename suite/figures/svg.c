/* SPDX-License-Identifier: BSD-3-Clause */
/* svg.c: gnuplot's SVG as a part of an HTML page. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "results/folder.h"
#include "svg.h"
#include "pages.h"

/* The texts that precede an id, where it is defined or referred to. */
static const char *const before_id[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#"};

/* The end of the first of them in the line, or NULL. */
static char *find_id(char *line)
{
    char *first = NULL, *end = NULL;
    for (size_t k = 0; k < sizeof before_id / sizeof before_id[0]; k++) {
        char *found = strstr(line, before_id[k]);
        if (!found || (first && found >= first)) continue;
        first = found;
        end = found + strlen(before_id[k]);
    }
    return end;
}

static void print_with_own_ids(FILE *out, char *line, const char *id)
{
    for (char *end; (end = find_id(line)); line = end) {
        char next = *end;
        *end = '\0';
        piece_svg_id(out, line, id);
        *end = next;
    }
    piece_svg_line(out, line);
}

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

bool svg_copy(FILE *out, const char *path, const char *id, const char *title, const char *caption)
{
    char *line = NULL;
    size_t capacity = 0;
    bool begun = false, titled = false, described = false;
    FILE *file = fopen(path, "r");
    if (!file) return false;
    while (getline(&line, &capacity, file) > 0) {
        char *rest = line, *svg = begun ? NULL : strstr(line, "<svg");
        line[strcspn(line, "\n")] = '\0';
        if (svg) {
            begun = true;
            piece_svg_begin(out, id);
            rest = svg + strlen("<svg");
        }
        if (!begun) continue;
        if (!titled && begins(line, "<title>")) {
            titled = true;
            piece_svg_title(out, id, title);
        } else if (!described && begins(line, "<desc>")) {
            described = true;
            piece_svg_description(out, id, caption,
                                  begins(line, "<desc>Produced by") ? "</desc>"
                                                                    : line + strlen("<desc>"));
        } else print_with_own_ids(out, rest, id);
    }
    free(line);
    fclose(file);
    return true;
}

static void print_script(FILE *out, const suite_home *home, const char *file)
{
    char *path = suite_home_file(home, file), *script = suite_file_text(path);
    if (script) piece_script(out, script);
    free(script);
    free(path);
}

void svg_scripts(FILE *out, const suite_home *home)
{
    print_script(out, home, "suite/figures.js");
    print_script(out, home, "suite/page.js");
}
