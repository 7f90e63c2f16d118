/* SPDX-License-Identifier: BSD-3-Clause */
/* history_links.c: where a browser finds the reports of kept results. */
#include "config.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "history.h"

/* The path of a file from a folder; both are absolute, without links and dots. */
static char *relative(const char *folder, const char *file)
{
    size_t same = 0, k = 0;
    for (; folder[k] && folder[k] == file[k]; k++)
        if (file[k] == '/') same = k + 1;
    if (!folder[k] && file[k] == '/') same = k + 1;
    char *path = suite_copy("");
    if (strlen(folder) >= same)
        for (const char *c = folder + same; *c; c += strspn(c, "/")) {
            char *up = suite_text("../%s", path);
            free(path);
            path = up;
            c += strcspn(c, "/");
        }
    char *all = suite_text("%s%s", path, file + same);
    free(path);
    return all;
}

/* The path as an address: what has a meaning there becomes %XX. The caller frees. */
static char *address(const char *path)
{
    char *text = suite_array(3 * strlen(path) + 1, 1), *to = text;
    for (const char *c = path; *c; c++)
        if (isalnum((unsigned char)*c) || strchr("/._-~", *c)) *to++ = *c;
        else to += sprintf(to, "%%%02X", (unsigned char)*c);
    return text;
}

/* Where a browser finds the report from the page; NULL: there is none. */
static char *report_of(const suite_kept *kept, const char *reports, const char *beside)
{
    const char *from = json_string_value(json_object_get(kept->root, "kept_from"));
    if (!from || strchr(from, '/') || strcmp(from, "..") == 0) return NULL;
    char *path = suite_text("%s/%s/report.html", reports, from);
    char *whole = realpath(path, NULL), *file = whole ? relative(beside, whole) : NULL;
    char *link = file ? address(file) : NULL;
    free(file);
    free(whole);
    free(path);
    return link;
}

static char *folder_of(const char *page)
{
    const char *slash = strrchr(page, '/');
    char *folder =
        slash ? suite_text("%.*s", slash == page ? 1 : (int)(slash - page), page) : suite_copy(".");
    char *whole = realpath(folder, NULL);
    free(folder);
    return whole ? whole : suite_copy("/");
}

char **history_links(const history *all, const char *dir, const char *reports, const char *page)
{
    char *beside = folder_of(page);
    char *above = reports ? suite_copy(reports) : suite_text("%s/..", dir);
    char **link = suite_array(all->kept.n, sizeof *link);
    for (size_t k = 0; k < all->kept.n; k++) {
        link[k] = report_of(&all->kept.kept[k], above, beside);
        if (!link[k] && !reports) link[k] = report_of(&all->kept.kept[k], dir, beside);
    }
    free(above);
    free(beside);
    return link;
}
