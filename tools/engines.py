#!/usr/bin/env python3
"""Installs the engines of engines/adapters.json and measures them by the study engines/study.json.

python3 tools/engines.py STEPBENCH BUILD OUT [--parts LIST] [--runs N] [NAME...]

BUILD receives the packages, the programs and the files of every run; OUT the tables engines*.csv, times/engines.csv,
engines.html and cards. The parts are `tables`, `claims`, `cards` and `times`; `times` needs an idle machine, the other
parts do not. With names only these engines are measured; the rows of the others stay as they are.

Every engine has runs of its own, N for the tables (2): an engine that is not installed or fails takes no rows of the
others. The column `spread` has half the distances of the cells that differ between the runs.
"""
import argparse
import csv
import functools
import json
import math
import os
import re
import shutil
import subprocess
import sys
import time

STUDY = 'engines/study.json'
PARTS = ['tables', 'claims', 'cards', 'times']
CARD_PROBLEMS = ['pendulum', 'rod_chain', 'four_bar', 'heavy_top']
CARD_SECONDS = '300'  # of processor time per analysis and problem; the limits of a stable step take most of it
INSTALL_SECONDS = 900
LONGEST_CARD = 3600  # s
CONTACTS = ['contacts_physics', 'contacts_laws', 'contacts_balance', 'contacts_creep']  # tables without verdicts


def say(text):
    print(f'engines: {text}', file=sys.stderr, flush=True)


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][-200:] if lines else 'no message'


def call(*command, seconds=INSTALL_SECONDS):
    """Runs a program. Returns why it failed, None if it did not."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds)
    except (OSError, subprocess.TimeoutExpired) as why:
        return str(why)[-200:]
    return None if done.returncode == 0 else last_line(done.stdout)


# ---- Programs. ----


@functools.cache
def install_packages(build):
    """Installs the packages of engines/package.json in the build folder, where node finds them by a link."""
    shutil.copy('engines/package.json', build)
    why = call('npm', 'install', '--no-audit', '--no-fund', '--prefix', build)
    link = 'engines/node_modules'
    if why is None and os.path.realpath(link) != os.path.realpath(f'{build}/node_modules'):
        if os.path.islink(link):
            os.remove(link)
        os.symlink(os.path.relpath(f'{build}/node_modules', 'engines'), link)
    return why


def is_older(adapter):
    """Returns whether the program of an adapter is older than its sources, or is not there."""
    sources = f'engines/{adapter["file"]}', 'engines/engine.hpp', 'engines/adapters.json'
    program = adapter['command']
    return not os.path.exists(program) or os.path.getmtime(program) < max(map(os.path.getmtime, sources))


def start(adapter, stepbench, build):
    """Installs and compiles an engine, and asks for its handshake. Returns why there is no engine, None if there is."""
    if 'npm' in adapter and (why := install_packages(build)) is not None:
        return f'npm install fails: {why}'
    if 'debian' in adapter and (why := call('sh', 'tools/deps.sh', 'g++', adapter['debian'])) is not None:
        return f'{adapter["debian"]} cannot be installed: {why}'
    if 'compile' in adapter and is_older(adapter) and (why := call('sh', '-c', adapter['compile'])) is not None:
        return f'{adapter["file"]} does not compile: {why}'
    why = call(stepbench, '--engine', adapter['command'], 'show', adapter['name'], seconds=120)
    return None if why is None else f'it does not answer: {why}'


# ---- Tables. ----


def read(path):
    """Returns the comments, the header and the rows of a table; empty lists if there is no file."""
    if not os.path.exists(path):
        return [], [], []
    lines = open(path).read().splitlines()
    table = list(csv.reader(line for line in lines if not line.startswith('#')))
    return [line for line in lines if line.startswith('#')], table[0], table[1:]


def write(path, comments, header, rows):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as to:
        to.write(''.join(line + '\n' for line in comments))
        csv.writer(to, lineterminator='\n').writerows([header] + rows)


def name_of(spec):
    """Returns the name of a stepper of the study."""
    return (spec if isinstance(spec, str) else spec['name']).split(':')[0]


def widened(rows, header, wider):
    """Returns rows under the columns of another header."""
    return [[dict(zip(header, row)).get(key, '') for key in wider] for row in rows]


def merge(path, comments, header, rows, belongs, place):
    """Replaces those rows of a table that belong to the measured engines, and sorts all by their places."""
    old_comments, old_header, old = read(path)
    kept = [row for row in old if not belongs(row)]
    if len(old_header) > len(header):  # the new rows are those of a missing engine
        comments, rows = old_comments, widened(rows, header, old_header)
    else:
        kept = widened(kept, old_header, header)
    header = max(header, old_header, key=len)
    write(path, comments, header, sorted(kept + rows, key=place))


def add_spread(tables):
    """Returns the header and the rows of the first of several equal runs with a column `spread`, the number of equal
    cells and the number of all."""
    _, header, rows = tables[0]
    again = [{tuple(row[:2]): row for row in table[2]} for table in tables[1:]]
    same = cells = 0
    for row in rows:
        spread = []
        for k, name in enumerate(header[2:], 2):
            values = {row[k]} | {other[tuple(row[:2])][k] for other in again if tuple(row[:2]) in other}
            cells += 1
            same += len(values) == 1
            if len(values) > 1:
                try:
                    numbers = [float(value) for value in values]
                    spread.append(f'{name}: ±{(max(numbers) - min(numbers)) / 2:.2g}')
                except ValueError:
                    spread.append(f'{name}: ' + ' or '.join(sorted(value or 'empty' for value in values)))
        row.append('; '.join(spread) if again else 'one run')
    return header + ['spread'], rows, same, cells


# ---- Measurements. ----


class Measurement:
    def __init__(self, stepbench, build, out, runs, adapters):
        self.stepbench, self.build, self.out, self.runs, self.adapters = stepbench, build, out, runs, adapters
        self.study = json.load(open(STUDY))
        self.names = [name_of(spec) for spec in self.study['steppers']]
        self.engines = {e['name']: self.engines_of(e) for e in self.study['experiments']}
        self.bounds, self.claims = self.lists()
        self.same = self.cells = 0

    @functools.cache
    def missing(self, name):
        """Returns why an engine is not there, None if it is."""
        why = start(self.adapters[name], self.stepbench, self.build)
        return None if why is None else f'{name} is not there: {why}'

    def engines_of(self, e):
        """Returns the engines among the steppers that an experiment names itself, in its order."""
        names = [name_of(spec) for part in (e, *e.get('runs', [])) for spec in part.get('steppers', [])]
        return [name for name in dict.fromkeys(names) if name in self.study['engines']]

    def lists(self):
        """Returns the rows of quantities.csv and claims.csv, each with an engine: those of {stepper} once for every
        engine of their experiment, unless a row below has the name of one engine; the others once for ''. The first row of
        each is the header."""
        listed = {}
        experiment = {}  # by claim
        for table in 'quantities', 'claims':
            _, header, rows = read(f'engines/{table}.csv')
            listed[table] = [('', header)]
            own = {row[0]: row for row in rows if '{stepper}' not in row[0]}
            for row in rows:
                claim = row[0].split('/')[0]
                experiment.setdefault(claim, row[1])
                if '{stepper}' in claim:
                    for name in self.engines[experiment[claim]]:
                        cells = [cell.replace('{stepper}', name) for cell in row]
                        listed[table].append((name, own.pop(cells[0], cells)))
                elif row[0] in own:
                    listed[table].append(('', row))
        return listed['quantities'], listed['claims']

    def run_study(self, name, timed, out):
        """Runs the experiments without steppers of their own, timed or not, for one stepper. Returns the rows of the
        summary, or why there are none."""
        study = {key: self.study[key] for key in ('title', 'text', 'engines', 'problems')}
        # Beside one of ours, what an analysis refuses is a row.
        study['steppers'] = [spec for spec in self.study['steppers']
                             if name_of(spec) in (name, *set(self.names) - set(study['engines']))]
        study['experiments'] = [e for e in self.study['experiments']
                                if not self.engines[e['name']] and e.get('timed', False) == timed]
        tables = {f'{e["name"]}.csv' for e in study['experiments']}
        study['summary'] = {'name': 'engines', 'columns': [c for c in self.study['summary']['columns']
                                                           if c['table'] in tables]}
        shutil.rmtree(out, ignore_errors=True)
        os.makedirs(out)
        with open(f'{out}/study.json', 'w') as to:
            json.dump(study, to, indent=1)
        begun = time.monotonic()
        done = subprocess.run([self.stepbench, *self.options(name), 'study', f'{out}/study.json', '--out', out],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        say(f'{name}: {"times" if timed else "tables"} in {time.monotonic() - begun:.0f} s')
        comments, header, rows = read(f'{out}/times/engines.csv' if timed else f'{out}/engines.csv')
        rows = [row for row in rows if row[1].split(':')[0] == name]
        return (comments, header, rows) if rows else f'the study ends with status {done.returncode}: {last_line(done.stderr)}'

    def place(self, row):
        problems = self.study['problems']
        problem = problems.index(row[0]) if row[0] in problems else len(problems)
        name = row[1].split(':')[0]
        return problem, self.names.index(name) if name in self.names else len(self.names)

    def tables(self, name):
        """Measures the rows of a stepper in engines.csv."""
        path = f'{self.out}/engines.csv'
        missing = name in self.adapters and self.missing(name)
        runs = [missing or self.run_study(name, False, f'{self.build}/runs/{name}{k or ""}')
                for k in range(1 if missing else self.runs)]
        wrong = [run for run in runs if isinstance(run, str)]
        comments, header, _ = read(path)
        if not wrong:
            comments = runs[0][0]
            header, rows, same, cells = add_spread(runs)
            self.same, self.cells = self.same + same, self.cells + cells
        else:
            header = header or ['problem', 'stepper', 'status', 'spread']
            rows = [[problem, name] + [wrong[0] if key == 'status' else '' for key in header[2:]]
                    for problem in self.study['problems']]
        merge(path, comments, header, rows, lambda row: row[1].split(':')[0] == name, self.place)

    def times(self, name):
        """Measures the rows of a stepper in times/engines.csv."""
        table = self.run_study(name, True, f'{self.build}/runs/{name}-times')
        if isinstance(table, str):
            say(f'{name}: no times: {table}')
            return
        merge(f'{self.out}/times/engines.csv', *table, lambda row: row[1].split(':')[0] == name, self.place)

    def write_claims(self, e, name, folder):
        """Writes the study of an experiment of an engine with the claims and the bounds of its quantities. Returns the
        claims."""
        bounds = [row for who, row in self.bounds[1:] if row[1] == e['name'] and who in ('', name)]
        ids = {row[0].split('/')[0] for row in bounds}
        study = {key: self.study[key] for key in ('title', 'engines', 'problems', 'steppers')}
        study['experiments'] = [json.loads(json.dumps(e).replace('{stepper}', name))]
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        with open(f'{folder}/study.json', 'w') as to:
            json.dump(study, to, indent=1)
        write(f'{folder}/quantities.csv', [], self.bounds[0][1], bounds)
        write(f'{folder}/claims.csv', [], self.claims[0][1], [row for _, row in self.claims if row[0] in ids])
        return ids

    def decide_claims(self, e, folder):
        """Runs the study of an experiment with its engines. Returns why it failed, None if it did not."""
        engines = self.engines_of(e)
        for name in engines:
            if self.missing(name) is not None:
                return self.missing(name)
        done = subprocess.run([self.stepbench, *(word for name in engines for word in self.options(name)), 'study',
                               f'{folder}/study.json', '--out', f'{folder}/out'],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        reasons = re.findall('experiment .* failed: (.*)', done.stderr) or [last_line(done.stderr)]
        return None if done.returncode == 0 else reasons[0]

    def decide(self, name):
        """Decides the claims of the experiments of an engine, and of those of several engines that name it first. Each
        experiment is a study of its own: one that fails leaves the others, and its claims open with the reason."""
        begun = time.monotonic()
        ids, tables = set(), {'claims': ([], [], []), 'verdicts': ([], ['id', 'verdict', 'comment'], [])}
        for e in self.study['experiments']:
            engines = self.engines[e['name']]
            each = all('{stepper}' in measure['id'] for measure in e.get('measure', []))
            if name not in (engines if each else engines[:1]):
                continue
            folder = f'{self.build}/runs/claims/{name}/{e["name"]}'
            own = {**e, 'steppers': [spec for spec in e['steppers'] if name_of(spec) == name]} if each else e
            claims = self.write_claims(own, name, folder)
            why = self.decide_claims(own, folder)
            for table, (comments, header, rows) in tables.items():
                more = read(f'{folder}/out/{table}.csv')
                tables[table] = more[0] or comments, more[1] or header, rows + more[2]
            decided = {row[0] for row in tables['verdicts'][2]}
            tables['verdicts'][2].extend([claim, 'open', why] for claim in sorted(claims - decided))
            ids |= claims
            if e['name'] in CONTACTS and why is None:
                comments, *rows = read(f'{folder}/out/{e["name"]}.csv')  # the second comment is the command of this engine
                merge(f'{self.out}/engines_{e["name"]}.csv', comments[:1], *rows,
                      lambda row: row[1].split(':')[0] == name, self.place)
        order = [row[0] for _, row in self.claims]
        for table, (comments, header, rows) in tables.items():
            merge(f'{self.out}/engines_{table}.csv', comments, header, rows,
                  lambda row: row[0] in ids or row[0] not in order, lambda row: order.index(row[0]))
        say(f'{name}: {len(ids)} claims in {time.monotonic() - begun:.0f} s')

    def options(self, name):
        """Returns the options of stepbench that start the engine; none for a stepper of ours."""
        return ['--engine', self.adapters[name]['command']] if name in self.adapters else []

    def card(self, name):
        path = f'{self.out}/cards/{name}.html'
        os.makedirs(os.path.dirname(path), exist_ok=True)
        problems = [word for problem in CARD_PROBLEMS for word in ('-p', problem)]
        begun = time.monotonic()
        why = call(self.stepbench, *self.options(name), 'card', name, *problems, '--against', '', '--seconds', CARD_SECONDS,
                   '-o', path, seconds=LONGEST_CARD)
        say(f'{name}: card in {time.monotonic() - begun:.0f} s' if why is None else f'{name}: no card: {why}')

    def page(self):
        """Writes engines.html from the tables, with the claims of every engine. The comment of an open claim is why."""
        folder = f'{self.build}/page'
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(f'{folder}/times')
        os.makedirs(f'{folder}/study')
        shutil.copy(STUDY, f'{folder}/study')
        write(f'{folder}/study/quantities.csv', [], self.bounds[0][1], [row for _, row in self.bounds[1:]])
        reasons = {row[0]: row[2] for row in read(f'{self.out}/engines_verdicts.csv')[2] if row[1] == 'open'}
        write(f'{folder}/study/claims.csv', [], self.claims[0][1],
              [row[:-1] + [reasons.get(row[0], row[-1])] for _, row in self.claims[1:]])
        for source, to in ('engines.csv', 'engines.csv'), ('engines_claims.csv', 'claims.csv'), \
                ('engines_verdicts.csv', 'verdicts.csv'), ('times/engines.csv', 'times/engines.csv'):
            if os.path.exists(f'{self.out}/{source}'):
                shutil.copy(f'{self.out}/{source}', f'{folder}/{to}')
        if os.path.exists(f'{self.out}/cards'):
            shutil.copytree(f'{self.out}/cards', f'{folder}/cards')
        why = call(self.stepbench, 'study', f'{folder}/study/study.json', '--replot', '--out', folder)
        if why is None:
            shutil.copy(f'{folder}/engines.html', self.out)
        return why


def main():
    parser = argparse.ArgumentParser(description='Installs the engines and measures them by the study.')
    parser.add_argument('stepbench')
    parser.add_argument('build')
    parser.add_argument('out')
    parser.add_argument('names', nargs='*')
    parser.add_argument('--parts', default=','.join(PARTS), help='of ' + ','.join(PARTS))
    parser.add_argument('--runs', type=int, default=2)
    given = parser.parse_intermixed_args()
    parts = given.parts.split(',')
    me = Measurement(given.stepbench, given.build, given.out, given.runs,
                     {adapter['name']: adapter for adapter in json.load(open('engines/adapters.json'))})
    known = [*me.adapters, *(name for name in me.names if name not in me.study['engines'])]
    wrong = [part for part in parts if part not in PARTS] + [name for name in given.names if name not in known]
    if wrong or given.runs < 1:
        parser.error(f'{" ".join(wrong) or "--runs"}: the parts are {",".join(PARTS)}, the names {" ".join(known)}')
    names = [name for name in known if not given.names or name in given.names]
    os.makedirs(given.build, exist_ok=True)
    here = [name for name in names if name not in me.adapters or me.missing(name) is None]
    say(f'{len(here)} of {len(names)} answer: {" ".join(here)}')
    for name in names:
        if 'tables' in parts:
            me.tables(name)
        if 'claims' in parts and name in me.adapters:
            me.decide(name)
        if 'times' in parts and name in here:
            me.times(name)
        if 'cards' in parts and name in here and name in me.adapters:
            me.card(name)
    if me.cells > 0 and given.runs > 1:
        say(f'{100 * me.same / me.cells:.1f} % of the {me.cells} cells of engines.csv are the same in {given.runs} runs')
    why = me.page()
    sys.exit(f'engines: engines.html cannot be written: {why}' if why else 0)


main()
