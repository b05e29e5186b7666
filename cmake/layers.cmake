# sb_layer(NAME FOLDERS folder... [USES layer...] [SOURCES file...]): one static library stepbench_NAME from the C files
# of its folders.
# Its sources see their own folders and those of the layers they use, through links in a private include folder: an
# include that points the wrong way finds
# no file. stepbench_NAME_alone links the layer with those it uses and nothing else: a call that points the wrong way
# finds no function.
function(sb_layer name)
  cmake_parse_arguments(LAYER "" "" "FOLDERS;USES;EXCLUDE" ${ARGN})
  set(sources "")
  foreach(folder IN LISTS LAYER_FOLDERS)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.c)
    list(APPEND sources ${found})
  endforeach()
  foreach(item IN LISTS LAYER_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "^${PROJECT_SOURCE_DIR}/${item}")
  endforeach()
  set(visible ${LAYER_FOLDERS})
  set(libraries "")
  foreach(used IN LISTS LAYER_USES)
    get_target_property(folders stepbench_${used} SB_FOLDERS)
    list(APPEND visible ${folders})
    list(APPEND libraries stepbench_${used})
  endforeach()
  set(view ${CMAKE_BINARY_DIR}/layers/${name})
  foreach(folder IN LISTS visible)
    get_filename_component(parent ${view}/${folder} DIRECTORY)
    file(MAKE_DIRECTORY ${parent})
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${view}/${folder} SYMBOLIC)
  endforeach()
  add_library(stepbench_${name} STATIC ${sources})
  set_target_properties(stepbench_${name} PROPERTIES SB_FOLDERS "${LAYER_FOLDERS}")
  target_include_directories(stepbench_${name} PRIVATE ${view} ${SB_GENERATED_DIR}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(stepbench_${name} PUBLIC ${libraries})
  add_library(stepbench_${name}_alone SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:stepbench_${name}>)
  target_link_libraries(stepbench_${name}_alone PRIVATE stepbench_${name})
  target_link_options(stepbench_${name}_alone PRIVATE -Wl,-z,defs)
endfunction()
