#!/usr/bin/env python3
"""Installs the engines of engines/adapters.json, and measures those that answer by the study engines/study.json.

python3 tools/engines.py STEPBENCH BUILD OUT [RUNS [NAME...]]

BUILD receives the packages and the programs, OUT the files engines*, a card per engine, and the times in times/. The
study runs RUNS times (2); the column `spread` of engines.csv has half the distances of the cells that differ. With
names only these engines are measured.
"""
import csv
import json
import math
import os
import shutil
import subprocess
import sys

STUDY = 'engines/study.json'
CARD_PROBLEMS = ['pendulum', 'rod_chain', 'four_bar', 'heavy_top']


def call(*command, **options):
    """Runs a program; returns what it says, or None if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    return done.stdout if done.returncode == 0 else say(f'{" ".join(command)}: {done.stdout.strip()[-400:]}')


def say(text):
    print(f'engines: {text}', file=sys.stderr, flush=True)


def install_packages(build):
    """Installs the packages of engines/package.json in the build folder, where node finds them by a link."""
    shutil.copy('engines/package.json', build)
    if call('npm', 'install', '--no-audit', '--no-fund', '--prefix', build) and not os.path.lexists('engines/node_modules'):
        os.symlink(os.path.relpath(f'{build}/node_modules', 'engines'), 'engines/node_modules')


def start(adapter, stepbench):
    """Installs and compiles an engine. Returns the options that start it, or None if it does not answer."""
    if 'debian' in adapter and call('sh', 'tools/deps.sh', 'g++', adapter['debian']) is None:
        return None
    if 'compile' in adapter and call('sh', '-c', adapter['compile']) is None:
        return None
    options = ['--engine', adapter['command']]
    return options if call(stepbench, *options, 'show', adapter['name']) else None


def rows_of(path):
    """Returns the comments, the header and the rows of a table."""
    lines = open(path).read().splitlines()
    table = list(csv.reader(line for line in lines if not line.startswith('#')))
    return [line for line in lines if line.startswith('#')], table[0], table[1:]


def write(path, comments, header, rows):
    with open(path, 'w') as to:
        to.write('\n'.join(comments) + '\n')
        csv.writer(to, lineterminator='\n').writerows([header] + rows)


def number(text):
    try:
        return float(text)
    except ValueError:
        return math.nan


def add_spread(first, others, out):
    """Writes the summary with the spreads over further runs. Returns the share of its cells that are the same."""
    comments, header, rows = rows_of(first)
    again = [{tuple(row[:2]): row for row in rows_of(other)[2]} for other in others]
    same = cells = 0
    for row in rows:
        spread = []
        for k, name in enumerate(header[2:], 2):
            values = {row[k]} | {other[tuple(row[:2])][k] for other in again}
            cells += 1
            same += len(values) == 1
            if len(values) > 1:
                numbers = [number(value) for value in values]
                spread.append(f'{name}: ±{(max(numbers) - min(numbers)) / 2:.2g}')
        row.append('; '.join(spread))
    write(out, comments, header + ['spread'], rows)
    return same / cells


def main(stepbench, build, out, runs='2', *names):
    os.makedirs(build, exist_ok=True)
    os.makedirs(f'{out}/times', exist_ok=True)
    adapters = [a for a in json.load(open('engines/adapters.json')) if not names or a['name'] in names]
    install_packages(build)
    engines = {a['name']: options for a in adapters if (options := start(a, stepbench))}
    say(f'{len(engines)} of {len(adapters)} answer: {" ".join(engines)}')
    results = [f'{build}/results{k or ""}' for k in range(int(runs))]
    for name, options in engines.items():
        problems = [word for problem in CARD_PROBLEMS for word in ('-p', problem)]
        os.makedirs(f'{results[0]}/cards', exist_ok=True)
        call(stepbench, *options, 'card', name, *problems, '--against', '', '-o', f'{results[0]}/cards/{name}.html')
    every = [word for options in engines.values() for word in options]
    for result in results:
        subprocess.run([stepbench, *every, 'study', STUDY, '--out', result], check=True)
    same = add_spread(f'{results[0]}/engines.csv', [f'{r}/engines.csv' for r in results[1:]], f'{out}/engines.csv')
    say(f'{100 * same:.1f} % of the cells of engines.csv are the same in {runs} runs')
    for table in 'claims', 'verdicts':
        if os.path.exists(f'{results[0]}/{table}.csv'):
            shutil.copy(f'{results[0]}/{table}.csv', f'{out}/engines_{table}.csv')
    shutil.copy(f'{results[0]}/engines.html', out)
    shutil.copytree(f'{results[0]}/cards', f'{out}/cards', dirs_exist_ok=True)
    if os.path.exists(f'{results[0]}/times/engines.csv'):
        shutil.copy(f'{results[0]}/times/engines.csv', f'{out}/times/engines.csv')


main(*sys.argv[1:])
