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
import json
import math
import os
import shutil
import subprocess
import sys
import time

STUDY = 'engines/study.json'
PARTS = ['tables', 'claims', 'cards', 'times']
CARD_PROBLEMS = ['pendulum', 'rod_chain', 'four_bar', 'heavy_top']
CARD_SECONDS = '3'  # per analysis and problem, of processor time
INSTALL_SECONDS = 900


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


def start(adapter, stepbench, npm):
    """Installs and compiles an engine, and asks for its handshake. Returns why there is no engine, None if there is."""
    if 'npm' in adapter and npm is not None:
        return f'npm install fails: {npm}'
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
    def __init__(self, stepbench, build, out, runs):
        self.stepbench, self.build, self.out, self.runs = stepbench, build, out, runs
        self.study = json.load(open(STUDY))
        self.names = [name_of(spec) for spec in self.study['steppers']]
        self.same = self.cells = 0

    def run_study(self, name, options, timed, out):
        """Runs the experiments without steppers of their own, timed or not, for one stepper. Returns the rows of the
        summary, or why there are none."""
        study = {key: self.study[key] for key in ('title', 'text', 'engines', 'problems')}
        # Beside one of ours, what an analysis refuses is a row.
        study['steppers'] = [spec for spec in self.study['steppers']
                             if name_of(spec) in (name, *set(self.names) - set(study['engines']))]
        study['experiments'] = [e for e in self.study['experiments']
                                if 'steppers' not in e and e.get('timed', False) == timed]
        tables = {f'{e["name"]}.csv' for e in study['experiments']}
        study['summary'] = {'name': 'engines', 'columns': [c for c in self.study['summary']['columns']
                                                           if c['table'] in tables]}
        shutil.rmtree(out, ignore_errors=True)
        os.makedirs(out)
        with open(f'{out}/study.json', 'w') as to:
            json.dump(study, to, indent=1)
        begun = time.monotonic()
        done = subprocess.run([self.stepbench, *options, 'study', f'{out}/study.json', '--out', out],
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

    def tables(self, name, options, missing):
        """Measures the rows of a stepper in engines.csv."""
        path = f'{self.out}/engines.csv'
        runs = [missing or self.run_study(name, options, False, f'{self.build}/runs/{name}{k or ""}')
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

    def times(self, name, options):
        """Measures the rows of a stepper in times/engines.csv."""
        table = self.run_study(name, options, True, f'{self.build}/runs/{name}-times')
        if isinstance(table, str):
            say(f'{name}: no times: {table}')
            return
        merge(f'{self.out}/times/engines.csv', *table, lambda row: row[1].split(':')[0] == name, self.place)

    def claims(self, engines):
        """Measures the claims of which all engines are there."""
        every = [word for options in engines.values() for word in options]
        out = f'{self.build}/runs/claims'
        shutil.rmtree(out, ignore_errors=True)
        globs = [e['name'] for e in self.study['experiments']
                 if 'steppers' in e and {name_of(s) for s in e['steppers']} & set(self.study['engines']) <= set(engines)]
        if not globs:
            return
        begun = time.monotonic()
        subprocess.run([self.stepbench, *every, 'study', STUDY, *globs, '--out', out],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        say(f'claims: {len(globs)} experiments in {time.monotonic() - begun:.0f} s')
        for name in 'physics', 'laws', 'balance', 'creep':
            if os.path.exists(f'{out}/contacts_{name}.csv'):
                shutil.copy(f'{out}/contacts_{name}.csv', f'{self.out}/engines_contacts_{name}.csv')
        ids = [row[0] for row in read('engines/claims.csv')[2]]
        for name in 'claims', 'verdicts':
            comments, header, rows = read(f'{out}/{name}.csv')
            measured = {row[0] for row in rows}
            if header:
                merge(f'{self.out}/engines_{name}.csv', comments, header, rows, lambda row: row[0] in measured,
                      lambda row: ids.index(row[0]) if row[0] in ids else len(ids))

    def card(self, name, options):
        path = f'{self.out}/cards/{name}.html'
        os.makedirs(os.path.dirname(path), exist_ok=True)
        problems = [word for problem in CARD_PROBLEMS for word in ('-p', problem)]
        begun = time.monotonic()
        why = call(self.stepbench, *options, 'card', name, *problems, '--against', '', '--seconds', CARD_SECONDS, '-o', path)
        say(f'{name}: card in {time.monotonic() - begun:.0f} s' if why is None else f'{name}: no card: {why}')

    def page(self):
        """Writes engines.html from the tables."""
        folder = f'{self.build}/page'
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(f'{folder}/times')
        for source, to in ('engines.csv', 'engines.csv'), ('engines_claims.csv', 'claims.csv'), \
                ('engines_verdicts.csv', 'verdicts.csv'), ('times/engines.csv', 'times/engines.csv'):
            if os.path.exists(f'{self.out}/{source}'):
                shutil.copy(f'{self.out}/{source}', f'{folder}/{to}')
        if os.path.exists(f'{self.out}/cards'):
            shutil.copytree(f'{self.out}/cards', f'{folder}/cards')
        why = call(self.stepbench, 'study', STUDY, '--replot', '--out', folder)
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
    adapters = json.load(open('engines/adapters.json'))
    wrong = [part for part in parts if part not in PARTS] + \
            [name for name in given.names if name not in [a['name'] for a in adapters] + ['rattle']]
    if wrong or given.runs < 1:
        parser.error(f'{" ".join(wrong) or "--runs"}: the parts are {",".join(PARTS)}, the names those of engines/adapters.json')
    adapters = [a for a in adapters if not given.names or a['name'] in given.names]
    os.makedirs(given.build, exist_ok=True)
    npm = install_packages(given.build) if any('npm' in a for a in adapters) else None
    missing = {a['name']: start(a, given.stepbench, npm) for a in adapters}
    engines = {a['name']: ['--engine', a['command']] for a in adapters if missing[a['name']] is None}
    say(f'{len(engines)} of {len(adapters)} answer: {" ".join(engines)}')
    me = Measurement(given.stepbench, given.build, given.out, given.runs)
    others = {name: [] for name in me.names if name not in me.study['engines'] and (not given.names or name in given.names)}
    for name, options in {**{name: None for name in missing}, **engines, **others}.items():
        if 'tables' in parts:
            me.tables(name, options, missing.get(name) and f'{name} is not there: {missing[name]}')
        if 'times' in parts and options is not None:
            me.times(name, options)
        if 'cards' in parts and options:
            me.card(name, options)
    if 'claims' in parts:
        me.claims(engines)
    if me.cells > 0:
        say(f'{100 * me.same / me.cells:.1f} % of the {me.cells} cells of engines.csv are the same in {given.runs} runs')
    why = me.page()
    sys.exit(f'engines: engines.html cannot be written: {why}' if why else 0)


main()
