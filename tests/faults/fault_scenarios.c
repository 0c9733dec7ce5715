/// The scenarios. Each runs in the folder `run`, whose files are its outputs; its inputs are in
/// `in` (tests/cli/data, and what inputs.py adds). The status is that of a run without a fault.
#include "faults/faults.h"

#define CHECK  "graze check ../in/gantry.urdf "
#define HIT    "-q lift=-1 "
#define WORLD  "--world ../in/room.json "
#define CSPACE "graze cspace ../in/gantry.urdf --quiet --joints travel,lift "
#define PLAN   "graze plan ../in/gantry.urdf --quiet --joints lift --goal 0.25 --time inf "
#define PLANAR "graze planar "
#define BODY   "--body 0.12,0,-0.08,0.05,-0.08,-0.05 "

const fault_scenario fault_scenarios[] = {
    // Loading each kind of file.
    {"urdf", "library robot ../in/gantry.urdf", NULL, 0, 0},
    {"urdf with meshes", "library robot ../in/stall.urdf", NULL, 0, 0},
    {"urdf with packages", "library robot ../in/packaged/robots/arm.urdf", NULL, 0, FAULT_FALLBACK},
    {"srdf", "library robot ../in/gantry.urdf ../in/gantry.srdf", NULL, 0, 0},
    {"srdf with margins", "library robot ../in/gantry.urdf ../in/gantry_margins.srdf", NULL, 0, 0},
    {"world json", "library world ../in/room.json", NULL, 0, 0},
    {"world yaml", "library world ../in/scene.yaml", NULL, 0, 0},
    {"moveit scene", "library world ../in/text.scene", NULL, 0, 0},
    {"urdf scenery", "library world ../in/stall.urdf", NULL, 0, 0},
    {"points", "library world ../in/scan.json", NULL, 0, 0},
    {"stl ascii", "library world ../in/cube.stl", NULL, 0, 0},
    {"stl binary", "library world ../in/binary.stl", NULL, 0, 0},
    {"obj", "library world ../in/crate.obj", NULL, 0, 0},
    {"ply ascii", "library world ../in/ascii.ply", NULL, 0, 0},
    {"ply binary", "library world ../in/binary.ply", NULL, 0, 0},
    {"gltf", "library world ../in/outside.gltf", NULL, 0, 0},
    {"glb", "library world ../in/inside.glb", NULL, 0, 0},
    {"dae", "library world ../in/plate.dae", NULL, 0, 0},
    {"off", "library world ../in/cube.off by-assimp", NULL, 0, 0},
    // The library's questions.
    {"rules", "library rules", NULL, 0, 0},
    {"batch any", "library batch 1", NULL, 0, 0},
    {"batch first, 3 threads", "library batch 3 first", NULL, 0, 0},
    {"explain", "library explain", NULL, 0, 0},
    {"name of a link", "library name", NULL, 0, 0},
    {"cspace map", "library map", NULL, 0, 0},
    {"planner", "library plan", NULL, 0, 0},
    {"linter", "library lint ../in/gantry.urdf", NULL, 0, FAULT_REPORT},
    // The command: one configuration.
    {"check first", CHECK HIT WORLD, NULL, 1, 0},
    {"check all", CHECK HIT WORLD "--all --explain --masked --allow slab,tong", NULL, 1, 0},
    {"check json", CHECK HIT "--all --explain --format json -o out.json", NULL, 1, 0},
    {"check margins", CHECK HIT "--srdf ../in/gantry_margins.srdf --margin hook=0.3 --margin 0.1",
     NULL, 1, 0},
    {"check policies", CHECK WORLD "--policy cap --policy hook=surface --enforce-limits", NULL, 0,
     0},
    {"check bounds", CHECK HIT WORLD "--level bounds", NULL, 0, 0},
    {"check picture",
     CHECK HIT WORLD "--package a=. --state low --srdf ../in/gantry.srdf "
                     "--picture out.png",
     NULL, 1, 0},
    {"check dump", CHECK HIT WORLD "--all --policy cap --dump out.dump", NULL, 1, 0},
    {"check stdin", "graze check - -q 0,0 --joints lift,turn", "gantry.urdf", 0, FAULT_STREAM},
    {"check dae", "graze check ../in/chest.urdf --world ../in/plate.dae -q 0", NULL, 1, 0},
    // The command: many configurations.
    {"batch csv", CHECK WORLD "--configs ../in/many.csv --threads 3 -o out.txt", NULL, 1,
     FAULT_STREAM},
    {"batch stdin", CHECK WORLD "--configs - --format jsonl --quiet", "many.csv", 1, FAULT_STREAM},
    {"batch npy", CHECK "--configs ../in/many.npy --format npy -o out.npy", NULL, 1, 0},
    {"batch based", CHECK "--configs ../in/based.csv --all --format csv -o out.csv", NULL, 0,
     FAULT_STREAM},
    {"batch dump", CHECK "--configs ../in/three.csv --quiet -o out.txt --dump out.dump", NULL, 1,
     FAULT_STREAM},
    // The other commands.
    {"info text", "graze info ../in/gantry.urdf --pairs --srdf ../in/gantry.srdf -o out.txt", NULL,
     0, 0},
    {"info json", "graze info ../in/stall.urdf --format json -o out.json", NULL, 0, 0},
    {"lint text", "graze lint ../in/stall.urdf", NULL, 0, FAULT_REPORT},
    {"lint json", "graze lint ../in/stall.urdf --format json -o out.json", NULL, 0, FAULT_REPORT},
    {"lint sarif", "graze lint ../in/bad.urdf --format sarif -o out.sarif", NULL, 1, FAULT_REPORT},
    {"lint junit", "graze lint ../in/bad.urdf --format junit -o out.xml", NULL, 1, FAULT_REPORT},
    {"export", "graze export ../in/gantry.urdf -q lift=-1 -o out.glb", NULL, 0, 0},
    {"view file", "graze view ../in/gantry.urdf --path ../in/three.csv -q lift=-1 -o out.html",
     NULL, 0, FAULT_STREAM},
    {"verify text", "graze verify ../in/good.dump --kinematics", NULL, 0, 0},
    {"verify json", "graze verify ../in/rows.dump --format json -o out.json", NULL, 0, 0},
    {"plan csv", PLAN "-o out.csv", NULL, 0, 0},
    {"plan json", PLAN "--format json -o out.json --dump out.dump --picture out.png", NULL, 0, 0},
    {"plan in time",
     PLAN "--smooth 0.1 --trajectory out.json --acceleration 1 --velocity 1 --jerk 5 -o out.csv",
     NULL, 0, 0},
    {"plan with base in time",
     PLAN "--planar-base --goal-base -0.2,0,0,0,0,1 --trajectory out2.csv --acceleration 1 "
          "--velocity 1 --base-velocity 1,1 --base-acceleration 1,1 -o out.csv",
     NULL, 0, 0},
    {"plan no path", "graze plan ../in/gantry.urdf --goal travel=9", NULL, 1, 0},
    {"cspace outputs",
     CSPACE WORLD "--size 16x12 -o out.npy --states out.states.npy --legend "
                  "out.json --picture out.png --path ../in/three.csv",
     NULL, 0, FAULT_STREAM},
    {"cspace certified", CSPACE "--size 8x8 --certified --threads 2 --states out.npy", NULL, 0, 0},
    {"planar distance",
     PLANAR "distance --first circle:0,0,1 --second capsule:3,0,5,1,0.5 "
            "--format json -o out.json --picture out.svg",
     NULL, 0, 0},
    {"planar approach",
     PLANAR "approach --first circle:0,0,1 --second circle:9,1,1 "
            "--second-velocity -1,0 --picture out.svg",
     NULL, 1, 0},
    {"planar scene", PLANAR "scene --count 20 --save out.json --picture out.svg", NULL, 0, 0},
    {"planar cspace",
     PLANAR "cspace --scene ../in/one.json " BODY "--start 0.5,1.25,0 --goal "
            "1.8,1.25,180 --size 12x12 --lattice 8 --certified --picture out.svg",
     NULL, 0, 0},
    {"planar arm",
     PLANAR "cspace --arm 1,0.8 --obstacle circle:1.2,0.9,0.2 --obstacle "
            "polygon:-2,1,-1,1,-1,2,-2,2/-1.8,1.2,-1.8,1.8,-1.2,1.8,-1.2,1.2 --start -1,0 --goal "
            "2,-0.5 --at 0,1 --size 24x24 --threads 3 --picture out.svg --states "
            "out.npy",
     NULL, 0, 0},
    {"planar field",
     PLANAR "field --first circle:0,0,1 --second polygon:4,1,5,1,4.2,1.2,4,2 "
            "--second-velocity -1,0 --size 8x8 --picture out.svg -o out.npy",
     NULL, 0, 0},
};

const size_t fault_scenario_count = sizeof fault_scenarios / sizeof *fault_scenarios;
