# Thin: the targets live in CMake. `make bench` regenerates results/, `make check` runs the tests; both install what is
# missing.
.POSIX:
.PHONY: all deps test-deps build tests bench check package wheel package-test asan torture torture-fuzz torture-files torture-kills torture-allocations portability analyze mutate coverage bare valgrind docs site engines references sundials clean

all: build

deps:
	@sh tools/deps.sh

# What the tests need beside the build (docs/installing.md).
test-deps: deps
	@sh tools/deps.sh chromium clang-format python3-gmpy2 python3-mpmath python3-myst-parser python3-numpy python3-pip \
	    python3-setuptools python3-sphinx python3-sympy python3-wheel

# The programs and libraries alone.
build: deps
	cmake --preset release
	cmake --build --preset release --target programs

# The test programs as well.
tests: deps
	cmake --preset release
	cmake --build --preset release

bench: build
	build/stepbench bench --out results

check: tests
	ctest --preset release

# A Debian package and an archive of the installed tree, in build/package/.
package: build
	cd build && cpack

# A wheel of the Python package with the library inside, in build/package/.
wheel: build
	@sh tools/deps.sh python3-pip python3-setuptools python3-wheel
	sh tools/wheel.sh build build/package

# Both in bare systems, made by debootstrap: needs root and the network.
package-test: package wheel
	@sh tools/deps.sh debootstrap
	sh tools/package_test.sh build/package

# ASAN_TESTS="-I 1,,2": every second test.
asan: deps
	cmake --preset asan
	cmake --build --preset asan
	ctest --preset asan $(ASAN_TESTS)

# The long forms of the tests in tests/robust/, hours of them; each writes its row of results/robustness.csv. A part of
# the command lines, to go beside others or on
# another day: make torture-fuzz FUZZ_FIRST=250000 FUZZ_COUNT=250000.
FUZZ_FIRST = 0
FUZZ_COUNT = 1000000
KILLS = 1000
torture: torture-kills torture-allocations torture-fuzz torture-files

torture-fuzz: deps
	cmake --preset asan
	cmake --build --preset asan --target fuzz
	sh tests/robust/torture_fuzz.sh build-asan/tests/fuzz $(FUZZ_FIRST) $(FUZZ_COUNT) results/robustness.csv

torture-files: deps
	cmake --preset asan
	cmake --build --preset asan --target fuzz
	sh tests/robust/torture_fuzz.sh build-asan/tests/fuzz $(FUZZ_FIRST) $(FUZZ_COUNT) results/robustness.csv --files

torture-kills: build
	sh tests/robust/torture_kills.sh build/stepbench $(KILLS) results/robustness.csv

torture-allocations: tests
	sh tests/robust/torture_allocations.sh build results/robustness.csv

# The numerical tests in other arithmetics; each leg writes its row of results/robustness.csv.
portability: deps
	RECORD=results/robustness.csv sh tools/portability.sh

# Errors that tools find without running the program; each tool writes its row of results/robustness.csv.
analyze: deps
	RECORD=results/robustness.csv sh tools/analyze.sh

# Wrong lines that the tests have to notice, one at a time: hours of it, in parts by FIRST and COUNT.
FIRST = 1
COUNT = 1000
mutate: deps
	FIRST=$(FIRST) COUNT=$(COUNT) sh tests/mutate.sh

# Statements and branches that the tests reach; each layer has its row of results/robustness.csv. Without the run of the
# whole bench, which takes too long where everything is counted.
coverage: deps
	@sh tools/deps.sh gcovr
	cmake --preset coverage
	cmake --build --preset coverage
	find build-coverage -name '*.gcda' -delete
	-ctest --preset coverage
	RECORD=results/robustness.csv sh tools/coverage.sh build-coverage

# Without SuiteSparse: the tests of what its solvers have a part in.
bare: deps
	cmake --preset bare
	cmake --build --preset bare
	ctest --preset bare

# The test programs one by one, or those of them asked for: make valgrind VALGRIND_TESTS=build/tests/test_step. Writes
# the row of results/robustness.csv.
VALGRIND_TESTS = build/tests/test_*
valgrind: tests
	@sh tools/deps.sh valgrind
	RECORD=results/robustness.csv sh tools/valgrind.sh $(VALGRIND_TESTS)

# Writes the catalogue from the registry.
docs: build
	cmake --build --preset release --target docs

# The documents as HTML with a search, in build/site.
site: build
	@sh tools/deps.sh python3-sphinx python3-myst-parser
	@STEPBENCH=build/stepbench sh tools/site.sh build/site

# The engines of engines/adapters.json, installed and measured on the problems of engines/study.json, RUNS times; writes
# results/engines*, cards and times. ENGINES="mujoco p2" measures these alone, PARTS=times on an idle machine the times.
RUNS = 2
ENGINES =
PARTS = tables,claims,cards,times
engines: build
	@sh tools/deps.sh python3 npm
	python3 tools/engines.py build/stepbench build/engines results --parts $(PARTS) --runs $(RUNS) $(ENGINES)

# The bounds of the references of the test problems, in some minutes; REFERENCES="four_bar fput" computes these rows
# alone. Writes results/references.csv.
REFERENCES =
references: build
	python3 tools/references.py build/stepbench results/references.csv $(REFERENCES)

# The solvers of SUNDIALS as a plug-in, build-sundials/sundials.so, with its test; writes results/times/sundials.csv.
sundials: deps
	@sh tools/deps.sh libsundials-dev
	cmake --preset release -B build-sundials -DSB_SUNDIALS=ON
	cmake --build build-sundials --target stepbench sundials
	ctest --test-dir build-sundials -R plugin_sundials --output-on-failure
	sh bench/sundials/table.sh build-sundials results/times/sundials.csv

clean:
	rm -rf build-sundials build build-debug build-asan build-bare build-coverage build-analyze build-portability
