/* `stepbench animate`: writes the motion of a mechanism by one or several steppers as a page, a GIF or an MP4. */
#include <unistd.h>

#include "bench/cli/cli.h"
#include "bench/cli/horizon.h"
#include "bench/data/data.h"
#include "bench/picture/picture.h"
#include "bench/process/pairs.h"
#include "bench/process/pool.h"
#include "bench/report/page.h"
#include "bench/runner/plot.h"
#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/output/sink.h"
#include "core/run/build.h"

/* Limits of the size of the file: browsers show more panels or frames with delay. */
enum { PANELS = 4, FRAMES = 5000, PANEL_PIXELS = 420 };

typedef struct animate_options {
    double h, t_end, fps, speed;
} animate_options;

static const sb_param animate_params[] = {
    SB_PARAM_NOT_NEGATIVE(animate_options, h, "0", "s",
                          "length of a step; 0: a tenth of the time scale of the problem, rounded to two digits; with "
                          "t-end that or less"),
    SB_PARAM_NOT_NEGATIVE(animate_options, t_end, "0", "s",
                          "end of the motion, a multiple of h; 0: 40 time scales or one period, or more"),
    SB_PARAM_POSITIVE(animate_options, fps, "25", "1/s", "frames per second, at most; a frame is a step"),
    SB_PARAM_POSITIVE(animate_options, speed, "1", "", "seconds of the motion per second of the film"),
    {0},
};

/* The motion by one stepper: the positions of all points in each frame. */
typedef struct panel {
    const char *stepper;
    int frames; /* fewer than the others if the run ended */
    double *x;
} panel;

typedef struct film {
    cli *me;
    sb_picture picture;
    sb_system sys;
    long steps, every;
    int frames, panels;
    double delay; /* s between frames of the film */
    panel panel[PANELS];
    panel *running;
    sb_scalar *outputs; /* in the process of a panel: outputs at a sample, its places as cells, and where they go */
    double *places;
    sb_cell *cells;
    sb_sink *rows;
} film;

static size_t frame_size(const film *f) { return (size_t)f->picture.npoints * (size_t)f->picture.dimension; }

/* ---- The runs. ---- */

static int observe(void *arg, const sb_sample *sample) {
    film *f = arg;
    const sb_outputs *outputs = &f->sys.outputs;
    if (outputs->count > 0) {
        SB_TRY(outputs->value(outputs->self, sample->t, sample->q, sample->v, f->outputs));
    }
    for (int k = 0; k < f->picture.npoints; k++) {
        sb_picture_place(&f->picture, k, sample->q, f->outputs, f->places + (size_t)(k * f->picture.dimension));
    }
    for (size_t i = 0; i < frame_size(f); i++) {
        f->cells[i] = sb_real(f->places[i]);
    }
    return f->rows->row(f->rows, f->cells);
}

/* Runs a stepper, in the process of its panel. */
static int run_panel(void *arg, int k, const sb_pair *pair, sb_progress *progress, sb_sink *rows) {
    film *f = arg;
    cli *me = f->me;
    const animate_options *o = me->config;
    sb_method method;
    sb_run run = {.h = o->h, .steps = f->steps / f->every * f->every, .every = f->every};
    SB_NEW(me->arena, f->places, frame_size(f));
    SB_NEW(me->arena, f->cells, frame_size(f));
    SB_NEW(me->arena, f->outputs, f->sys.outputs.count);
    f->rows = rows;
    SB_TRY(sb_method_init(me->ctx, me->arena, pair->type, pair->config, pair->sys, &method));
    return sb_run_method(&method, &run, observe, f);
}

/* Receives the frames of the running panel. */
typedef struct screen {
    sb_sink sink;
    film *f;
} screen;

static int add_frame(sb_sink *sink, const sb_cell *cells) {
    film *f = ((screen *)sink)->f;
    panel *p = f->running;
    const size_t size = frame_size(f);
    for (size_t i = 0; i < size && p->frames < f->frames; i++) {
        p->x[(size_t)p->frames * size + i] = cells[i].real;
    }
    p->frames++;
    return SB_OK;
}

/* The panel of a run that fails has the frames before the failure. */
static int end_panel(void *arg, int k, int status, const char *message, bool crashed, sb_sink *out) {
    film *f = arg;
    const panel *p = f->running++;
    if (status != SB_OK) {
        sb_fail(f->me->ctx, status, "%s%s%s", crashed ? p->stepper : "", crashed ? ": " : "", message);
    }
    if (status > 0 && p->frames > 0) {
        sb_write_line(stderr, "stepbench: %s; its picture stops there", f->me->ctx->message);
        return SB_OK;
    }
    return status;
}

static int run_panels(film *f) {
    const cli *me = f->me;
    sb_column *columns;
    sb_pair list[PANELS];
    sb_meter meter;
    screen frames = {.sink = {.row = add_frame}, .f = f};
    SB_NEW(me->arena, columns, frame_size(f)); /* without names */
    const sb_pair_work work = {.arg = f,
                               .name = "",
                               .ncolumns = (int)frame_size(f),
                               .columns = columns,
                               .run = run_panel,
                               .ended = end_panel,
                               .steps = f->steps};
    for (int k = 0; k < f->panels; k++) {
        f->panel[k].stepper = me->steppers.list[k].text;
        SB_NEW(me->arena, f->panel[k].x, (size_t)f->frames * frame_size(f));
        SB_TRY(sb_pair_build(me->ctx, me->arena, &f->sys, f->panel[k].stepper, &list[k]));
    }
    f->running = f->panel;
    sb_meter_begin(&meter, me->ctx, (double)f->panels * (double)f->steps);
    SB_TRY(sb_pairs_work(me->ctx, me->arena, &work, f->panels, list, 1, me->shared.seconds, &meter, &frames.sink));
    sb_meter_clear(&meter);
    return SB_OK;
}

static int choose_frames(film *f) {
    animate_options *o = f->me->config;
    SB_TRY(cli_horizon(f->me->ctx, (double)f->sys.time_scale, (double)f->sys.period, o->t_end, 0, &o->h, &f->steps));
    const double every = ceil(o->speed / (o->fps * o->h) - 1e-9), frames = (double)f->steps / fmax(every, 1.0) + 1.0;
    if (!(frames >= 2.0 && frames <= FRAMES)) {
        return sb_fail(f->me->ctx, SB_BAD_USAGE, "animate: %.0f frames; it takes 2 to %d: change --fps or --speed",
                       floor(frames), FRAMES);
    }
    f->every = (long)fmax(every, 1.0);
    f->frames = (int)frames;
    f->delay = (double)f->every * o->h / o->speed;
    return SB_OK;
}

/* Makes the picture. It is drawn from the coordinates of the problem without formulations. */
static int make_picture(film *f) {
    const sb_spec *problem = &f->me->problems.list[0];
    const sb_specs none = {.count = 0};
    sb_system own;
    SB_TRY(sb_system_make(f->me->ctx, f->me->arena, problem, &none, &own));
    SB_TRY(sb_picture_make(f->me->ctx, f->me->arena, problem, &own, &f->picture));
    return own.n == f->sys.n ? SB_OK
                             : sb_fail(f->me->ctx, SB_UNSUPPORTED,
                                       "the picture of %s is drawn from its own coordinates, which a formulation has "
                                       "replaced; leave out -w",
                                       problem->entry->name);
}

static int run_film(film *f) {
    const cli *me = f->me;
    if (me->problems.count != 1 || me->steppers.count < 1 || me->steppers.count > PANELS) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "animate takes one problem and 1 to %d steppers, not %d and %d", PANELS,
                       me->problems.count, me->steppers.count);
    }
    SB_TRY(sb_system_make(me->ctx, me->arena, &me->problems.list[0], &me->formulations, &f->sys));
    SB_TRY(choose_frames(f));
    SB_TRY(make_picture(f));
    SB_TRY(sb_ends_with(me->output, ".html") ? SB_OK : sb_program_find(me->ctx, "gnuplot", "a film"));
    SB_TRY(!sb_ends_with(me->output, ".mp4")
               ? SB_OK
               : sb_program_find(me->ctx, "ffmpeg", "FILE.mp4, unlike FILE.gif and FILE.html,"));
    f->panels = me->steppers.count;
    return run_panels(f);
}

/* ---- The page. ---- */

/* Adds what assets/animate.html draws: the lines, and the positions of the points in each frame. */
static void add_data(const film *f, sb_page *page) {
    const sb_picture *picture = &f->picture;
    json_t *data = json_pack("{s:i, s:i, s:f, s:f}", "dimension", picture->dimension, "up", picture->up, "delay",
                             f->delay, "step", (double)f->every * ((const animate_options *)f->me->config)->h),
           *lines, *panels;
    page->failed = json_object_set_new(page->values, "data", data) != 0 || page->failed;
    sb_page_add(page, sb_page_list(page, data, "gravity"), json_real(picture->gravity[0]));
    for (int i = 1; i < picture->dimension; i++) {
        sb_page_add(page, json_object_get(data, "gravity"), json_real(picture->gravity[i]));
    }
    json_t *fixed = sb_page_list(page, data, "fixed");
    for (int k = 0; k < picture->npoints; k++) {
        if (sb_picture_is_fixed(picture, k)) {
            sb_page_add(page, fixed, json_integer(k));
        }
    }
    lines = sb_page_list(page, data, "lines");
    for (int k = 0; k < picture->nlines; k++) {
        const sb_picture_line *line = &picture->lines[k];
        sb_page_add(page, lines, json_pack("[i,i,i]", line->from, line->to, line->spring));
    }
    panels = sb_page_list(page, data, "panels");
    for (int p = 0; p < f->panels; p++) {
        json_t *frames = json_array();
        sb_page_add(page, panels, frames);
        for (int i = 0; i < f->panel[p].frames; i++) {
            const double *x = f->panel[p].x + (size_t)i * frame_size(f);
            json_t *frame = json_array();
            sb_page_add(page, frames, frame);
            for (size_t k = 0; k < frame_size(f); k++) {
                sb_page_add(page, frame, json_real(x[k] + 0.0));
            }
        }
    }
}

static int write_page(const film *f, FILE *to) {
    sb_page page;
    SB_TRY(sb_page_begin(f->me->ctx, f->me->arena, &page));
    sb_page_text(&page, page.values, "title", f->sys.name);
    json_t *figures = sb_page_list(&page, page.values, "figures");
    for (int p = 0; p < f->panels; p++) {
        sb_page_item(&page, figures, f->panel[p].stepper);
    }
    add_data(f, &page);
    return sb_page_write(&page, "animate.html", to);
}

/* ---- The film. ---- */

/* Writes the lines of all frames, one block per frame and panel, and sets the ranges of their coordinates. Every point
 * is written as a line of length zero, so that a point without a line is drawn. */
static void write_blocks(const film *f, FILE *to, double lo[2], double hi[2]) {
    lo[0] = lo[1] = INFINITY;
    hi[0] = hi[1] = -INFINITY;
    for (int i = 0; i < f->frames * f->panels; i++) {
        const panel *p = &f->panel[i % f->panels];
        const int frame = i / f->panels < p->frames ? i / f->panels : p->frames - 1;
        const double *x = p->x + (size_t)frame * frame_size(f);
        for (int k = 0; k < f->picture.npoints + f->picture.nlines; k++) {
            const sb_picture_line own = {k, k, false},
                                  line = k < f->picture.npoints ? own : f->picture.lines[k - f->picture.npoints];
            double a[2], b[2];
            sb_picture_project(&f->picture, x + (size_t)(line.from * f->picture.dimension), a);
            sb_picture_project(&f->picture, x + (size_t)(line.to * f->picture.dimension), b);
            for (int c = 0; c < 2; c++) {
                lo[c] = fmin(lo[c], fmin(a[c], b[c]));
                hi[c] = fmax(hi[c], fmax(a[c], b[c]));
            }
            fprintf(to, "%.6g %.6g %.6g %.6g %d %d\n", a[0], a[1], b[0], b[1], line.spring,
                    k < f->picture.npoints && sb_picture_is_fixed(&f->picture, k));
        }
        fputs("\n\n", to);
    }
}

/* Draws the frames of the file `data` with gnuplot and writes the GIF to the stream. */
static int draw(const film *f, const char *data, const double lo[2], const double hi[2], FILE *to) {
    sb_arena *arena = f->me->arena;
    const double margin = 0.05 * fmax(hi[0] - lo[0], hi[1] - lo[1]) + 1e-9;
    double down[2];
    sb_picture_project(&f->picture, f->picture.gravity, down);
    const char *script;
    char *settings;
    bool drawn;
    SB_TRY(sb_data_path(f->me->ctx, arena, "assets/animate.gp", &script));
    SB_PRINT(arena, settings,
             "file='%s'; frames=%d; panels=%d; x0=%.6g; x1=%.6g; y0=%.6g; y1=%.6g; delay=%.0f; width=%d; height=%d; "
             "gx=%.6g; gy=%.6g; array title_[%d]",
             data, f->frames, f->panels, lo[0] - margin, hi[0] + margin, lo[1] - margin, hi[1] + margin,
             fmax(2.0, 100.0 * f->delay), PANEL_PIXELS * f->panels, PANEL_PIXELS, down[0], down[1], f->panels);
    for (int p = 0; p < f->panels; p++) {
        const char *title;
        SB_TRY(sb_plot_text(arena, "gif", f->panel[p].stepper, &title));
        SB_PRINT(arena, settings, "%s; title_[%d]=%s", settings, p + 1, title);
    }
    SB_TRY(sb_plot_stream(f->me->ctx, settings, NULL, script, to, &drawn));
    return drawn ? SB_OK : sb_program_find(f->me->ctx, "gnuplot", "a film");
}

static int write_gif(const film *f, FILE *to) {
    double lo[2], hi[2];
    char data[64];
    FILE *blocks = tmpfile();
    if (blocks == NULL) {
        return sb_fail(f->me->ctx, SB_IO, "no temporary file for the frames of a film");
    }
    write_blocks(f, blocks, lo, hi);
    snprintf(data, sizeof data, "/dev/fd/%d", fileno(blocks));
    const int status = fflush(blocks) == 0 ? draw(f, data, lo, hi, to)
                                           : sb_fail(f->me->ctx, SB_IO, "the disk of temporary files is full");
    fclose(blocks);
    return status;
}

/* Converts the GIF in the file `gif` with ffmpeg. */
static int convert(const film *f, FILE *gif, FILE *mp4) {
    char from[32], to[32];
    const int target = dup(fileno(mp4)); /* which the program inherits */
    snprintf(from, sizeof from, "/dev/fd/%d", fileno(gif));
    snprintf(to, sizeof to, "/dev/fd/%d", target);
    const char *const argv[] = {"ffmpeg", "-y",  "-loglevel", "error",   "-f",  "gif",
                                "-i",     from,  "-pix_fmt",  "yuv420p", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                "-f",     "mp4", to,          NULL};
    const int exited = sb_program_run(f->me->ctx, (char *const *)argv, stderr, NULL);
    close(target);
    SB_TRY(sb_poll(f->me->ctx));
    return exited == 0 ? SB_OK : sb_fail(f->me->ctx, SB_IO, "ffmpeg could not write the film: exit status %d", exited);
}

static int write_mp4(const film *f, FILE *to) {
    FILE *gif = tmpfile();
    if (gif == NULL) {
        return sb_fail(f->me->ctx, SB_IO, "no temporary file for a film");
    }
    int status = write_gif(f, gif);
    status = status == SB_OK ? convert(f, gif, to) : status;
    fclose(gif);
    return status;
}

static int write_file(const film *f, const char *path, int (*write)(const film *f, FILE *to)) {
    sb_outfile file;
    SB_TRY(sb_outfile_open(f->me->ctx, f->me->arena, path, &file));
    return sb_outfile_close(&file, write(f, file.stream));
}

static int run_animate(cli *me) {
    film f = {.me = me};
    const char *path = me->output != NULL ? me->output : "";
    const bool page = sb_ends_with(path, ".html"), gif = sb_ends_with(path, ".gif"), mp4 = sb_ends_with(path, ".mp4");
    if (!page && !gif && !mp4) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "animate writes a file: -o FILE.html, FILE.gif or FILE.mp4");
    }
    SB_TRY(run_film(&f));
    return write_file(&f, path, page ? write_page : mp4 ? write_mp4 : write_gif);
}

const cli_command cli_animate = {
    &(const sb_entry){
        "animate", "Shows a mechanism that moves, by one or several steppers side by side, as a page, a GIF or an MP4",
        "", animate_params, sizeof(animate_options)},
    "stepbench animate -p PROBLEM [-w FORMULATION]... -s STEPPER... [--h H] [--t-end T] [--fps N] [--speed S] "
    "[--seconds N] -o "
    "FILE.html|FILE.gif|FILE.mp4",
    CLI_PROBLEMS | CLI_FORMULATIONS | CLI_STEPPERS | CLI_OUTPUT | CLI_SECONDS,
    run_animate,
    NULL,
    "stepbench animate -p ladder:N=5 -s shake -s spook --h 1/60 --t-end 4 -o ladder.html",
};
