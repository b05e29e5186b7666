// Havok by its WebAssembly build @babylonjs/havok, as an engine of stepbench (docs/adding-an-engine.md):
//
//     (cd engines && npm install)
//     stepbench --engine 'node engines/havok.mjs' drift -p rod_chain -p heavy_top -s havok --h 1/240
//
// It has no parameters for its solver. What a step keeps for the next one cannot be set, so its state is `none`. Its
// numbers are single. Planes are the faces of boxes of 40 m. Both shapes of a contact have its coefficients, and Havok takes
// the larger ones. Two bodies touch if they share a bit; those in the plane are not held there.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import load from '@babylonjs/havok';

import { across, answerInSpace, conj, facing, inertiaInSpace, joints, plus, poseInSpace, refuseLists, refuseThin, run,
    sidesInSpace, touching, turn, twistInSpace, unit, vectorInSpace } from './engine.mjs';

const file = createRequire(import.meta.url).resolve('@babylonjs/havok/lib/esm/HavokPhysics.wasm');
const hp = await load({ wasmBinary: readFileSync(file) });

let planar, given, system, bodies, all = [];

// Calls a function of Havok, whose answer begins with a result.
function call(name, ...values) {
    const [result, value] = [hp[`HP_${name}`](...values)].flat();
    if (result !== hp.Result.RESULT_OK) throw new Error(`HP_${name} fails`);
    return value;
}

function body({ mass, inertia }, pose, twist) {
    const made = call('Body_Create'), [x, y, z, e0, ...e] = pose;
    call('Body_SetMotionType', made, mass ? hp.MotionType.DYNAMIC : hp.MotionType.STATIC);
    call('Body_SetQTransform', made, [[x, y, z], [...e, e0]]);
    call('World_AddBody', system, made, false);
    if (mass) {
        const J = inertiaInSpace({ mass, inertia }); // Havok takes it per mass
        call('Body_SetMassProperties', made, [[0, 0, 0], mass, J.map((value) => value / mass), [0, 0, 0, 1]]);
        call('Body_SetAngularDamping', made, 0); // its own is 0.1/s, and 0 for linear velocities
        call('Body_SetActivationControl', made, hp.ActivationControl.ALWAYS_ACTIVE);
        call('Body_SetLinearVelocity', made, twist.slice(0, 3));
        call('Body_SetAngularVelocity', made, twist.slice(3));
    }
    return made;
}

function addShape({ type, point, normal, radius, size, friction, restitution, bits }, to) {
    const [e0, ...e] = type === 'plane' ? facing([0, 0, 1], normal) : [1, 0, 0, 0];
    const at = type === 'plane' ? plus(vectorInSpace(point), unit(vectorInSpace(normal)), -1) : vectorInSpace(point);
    const made = type === 'sphere' ? call('Shape_CreateSphere', at, radius)
        : call('Shape_CreateBox', at, [...e, e0], type === 'plane' ? [40, 40, 2] : sidesInSpace({ size }));
    const { MAXIMUM } = hp.MaterialCombine;
    call('Shape_SetMaterial', made, [friction, friction, restitution, MAXIMUM, MAXIMUM]);
    call('Shape_SetFilterInfo', made, [bits, bits]);
    call('Body_SetShape', to, made);
}

const still = [0, 0, 0, 1, 0, 0, 0];
const locked = {
    spherical: ['LINEAR_X', 'LINEAR_Y', 'LINEAR_Z'],
    revolute: ['LINEAR_X', 'LINEAR_Y', 'LINEAR_Z', 'ANGULAR_Y', 'ANGULAR_Z'],
    prismatic: ['LINEAR_Y', 'LINEAR_Z', 'ANGULAR_X', 'ANGULAR_Y', 'ANGULAR_Z'],
    distance: [],
};

function add({ type, bodies: names, points, axes, length }, at, attitude) {
    const made = call('Constraint_Create'), kind = planar && type === 'revolute' ? 'spherical' : type;
    const [eA, eB] = names.map((name) => attitude[name] ?? [1, 0, 0, 0]), [a, b] = (axes ?? [[1], [1]]).map(vectorInSpace);
    const normal = across(a); // the same in space for both bodies
    const [bodyA, bodyB] = names.map((name) => at[name] ?? at.ground);
    call('Constraint_SetParentBody', made, bodyA);
    call('Constraint_SetChildBody', made, bodyB);
    call('Constraint_SetAnchorInParent', made, vectorInSpace(points[0]), unit(a), normal);
    call('Constraint_SetAnchorInChild', made, vectorInSpace(points[1]), unit(b), turn(conj(eB), turn(eA, normal)));
    call('Constraint_SetCollisionsEnabled', made, 0);
    for (const axis of locked[kind]) {
        call('Constraint_SetAxisMode', made, hp.ConstraintAxis[axis], hp.ConstraintAxisLimitMode.LOCKED);
    }
    if (type === 'distance') {
        // Havok answers to this mode that its arguments are wrong, and takes it.
        hp.HP_Constraint_SetAxisMode(made, hp.ConstraintAxis.LINEAR_DISTANCE, hp.ConstraintAxisLimitMode.LIMITED);
        call('Constraint_SetAxisMinLimit', made, hp.ConstraintAxis.LINEAR_DISTANCE, length);
        call('Constraint_SetAxisMaxLimit', made, hp.ConstraintAxis.LINEAR_DISTANCE, length);
    }
    call('Constraint_SetEnabled', made, 1);
    return made;
}

run({
    hello: {
        name: 'havok',
        version: '1.3.14',
        brief: 'Havok, in single precision',
        order: 1,
        state: 'none',
        precision: 32,
        contacts: true,
    },
    world(world) {
        refuseLists(world, 'springs', 'drivers', 'forces');
        joints(world, ...Object.keys(locked));
        refuseThin(world);
        planar = world.gravity.length === 2;
        given = world;
    },
    set(time, poses, twists) {
        for (const made of all) call('Constraint_Release', made);
        for (const made of bodies ?? []) call('Body_Release', made);
        if (system) call('World_Release', system);
        system = call('World_Create');
        call('World_SetGravity', system, vectorInSpace(given.gravity));
        call('World_SetSpeedLimit', system, 1e9, 1e9); // its own is 200 m/s and 100 rad/s
        call('World_SetIdealStepTime', system, 0); // it would adapt its solver to 1/60 s
        const at = { ground: body({}, still) }, attitude = {};
        bodies = Object.entries(given.bodies).map(([name, each], k) => {
            attitude[name] = poseInSpace(poses[k]).slice(3);
            at[name] = body(each, poseInSpace(poses[k]), twistInSpace(twists[k]));
            return at[name];
        });
        for (const shape of touching(given, 31, 'plane', 'sphere', 'box')) {
            addShape(shape, shape.body === 'ground' ? body({}, still) : at[shape.body]);
        }
        all = (given.joints ?? []).map((joint) => add(joint, at, attitude));
    },
    step(h) {
        call('World_Step', system, h);
        const poses = bodies.map((made) => {
            const [x, [e1, e2, e3, e0]] = call('Body_GetQTransform', made);
            return [...x, e0, e1, e2, e3];
        });
        const twists = bodies.map((made) => [call('Body_GetLinearVelocity', made), call('Body_GetAngularVelocity', made)].flat());
        return answerInSpace(poses, twists, planar);
    },
});
