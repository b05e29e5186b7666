# Thin: the targets live in CMake. `make bench` regenerates results/, `make check` runs the tests; both install what is missing.
.POSIX:
.PHONY: all deps build bench check asan bare valgrind docs clean

all: build

deps:
	@sh tools/deps.sh

build: deps
	cmake --preset release
	cmake --build --preset release

bench: build
	build/stepbench bench --out results

check: build
	ctest --preset release

asan: deps
	cmake --preset asan
	cmake --build --preset asan
	ctest --preset asan

# Without SuiteSparse: the tests of what its solvers have a part in.
bare: deps
	cmake --preset bare
	cmake --build --preset bare
	ctest --preset bare

# The test programs one by one, or those of them asked for: make valgrind VALGRIND_TESTS=build/tests/test_step
VALGRIND_TESTS = build/tests/test_*
valgrind: build
	@sh tools/deps.sh valgrind
	@for test in $(VALGRIND_TESTS); do \
	    if [ -f "$$test" ] && [ -x "$$test" ]; then \
	        echo "$$test"; \
	        valgrind --quiet --leak-check=full --error-exitcode=1 "$$test" || exit 1; \
	    fi; \
	done

# Writes the catalogue from the registry.
docs: build
	cmake --build --preset release --target docs

clean:
	rm -rf build build-debug build-asan build-bare
