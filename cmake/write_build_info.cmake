# Writes OUTPUT from SOURCE_DIR, VERSION, COMPILER, FLAGS and BUILD_TYPE. Without git, or outside a clone, the commit is
# "unknown".
set(commit unknown)
set(dirty 0)
find_program(GIT git)
if(GIT)
  execute_process(COMMAND ${GIT} rev-parse HEAD WORKING_DIRECTORY ${SOURCE_DIR}
    RESULT_VARIABLE failed OUTPUT_VARIABLE head ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed)
    set(commit ${head})
    # What `make bench` itself rewrites doesn't make a tree dirty.
    execute_process(COMMAND ${GIT} status --porcelain --untracked-files=no -- . ":!results"
                    WORKING_DIRECTORY ${SOURCE_DIR}
      OUTPUT_VARIABLE changes ERROR_QUIET)
    if(changes)
      set(dirty 1)
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
/* Generated at build: where this binary comes from. */
#define SB_VERSION "@VERSION@"
#define SB_COMMIT "@commit@"
#define SB_DIRTY @dirty@
#define SB_COMPILER "@COMPILER@"
#define SB_FLAGS "@FLAGS@"
#define SB_BUILD_TYPE "@BUILD_TYPE@"
]])
