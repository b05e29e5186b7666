# Thin: the targets live in CMake. `make bench` regenerates results/, `make check` runs the tests; both install what is missing.
.POSIX:
.PHONY: all deps build bench check asan valgrind docs clean

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

# The test programs one by one; the first that valgrind complains of ends it.
valgrind: build
	@sh tools/deps.sh valgrind
	@for test in build/tests/test_*; do \
	    if [ -f "$$test" ] && [ -x "$$test" ]; then \
	        echo "$$test"; \
	        valgrind --quiet --leak-check=full --error-exitcode=1 "$$test" || exit 1; \
	    fi; \
	done

docs: build
	cmake --build --preset release --target docs

clean:
	rm -rf build build-debug build-asan
