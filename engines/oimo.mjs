// OimoPhysics, as an engine of stepbench (docs/adding-an-engine.md):
//
//     (cd engines && npm install)
//     stepbench --engine 'node engines/oimo.mjs' order -p rod_chain -p heavy_top -s oimo:solver=direct
//
// Its numbers are double. Joints begin without the impulses of the last step; contacts keep theirs, so that their state is
// `none`. Planes are the faces of boxes of 40 m.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { Refuse, answerInSpace, facing, inertiaInSpace, joints, plus, poseInSpace, refuseLists, refuseThin, run, scaled,
    sidesInSpace, touching, twistInSpace, unit, vectorInSpace } from './engine.mjs';

// The file is a module, which its package does not say.
const file = createRequire(import.meta.url).resolve('oimophysics');
const { oimo } = await import(`data:text/javascript;base64,${readFileSync(file, 'base64')}`);

const { common: { Mat3, Quat, Setting, Vec3 }, collision: { geometry: geometries }, dynamics } = oimo;
const { MassData, RigidBody, RigidBodyConfig, RigidBodyType, Shape, ShapeConfig } = dynamics.rigidbody;
const { constraint: { joint: kinds, solver: { ConstraintSolverType } } } = dynamics;
const vector = (a) => new Vec3(...vectorInSpace(a));
const quaternion = ([e0, e1, e2, e3]) => new Quat(e1, e2, e3, e0);

Setting.disableSleeping = true;
Setting.jointWarmStartingFactor = Setting.jointWarmStartingFactorForBaungarte = 0;
Setting.maxTranslationPerStep = Setting.maxRotationPerStep = 1e15; // its own are 20 m and pi
let planar, system, bodies;

// Gives a body the shapes that touch. Two of them touch if they share a bit.
function addShapes(shapes, to) {
    for (const { type, point, normal, radius, size, friction, restitution, bits } of shapes) {
        const made = new ShapeConfig(), plane = type === 'plane', e = plane ? facing([0, 0, 1], normal) : [1, 0, 0, 0];
        if (radius === 0) throw new Refuse('its contacts have no shape of radius 0');
        made.position = vector(plane ? plus(vectorInSpace(point), scaled(unit(vectorInSpace(normal)), -1)) : point);
        made.rotation = quaternion(e).toMat3();
        made.geometry = type === 'sphere' ? new geometries.SphereGeometry(radius)
            : new geometries.BoxGeometry(vector(plane ? [20, 20, 1] : scaled(sidesInSpace({ size }), 0.5)));
        Object.assign(made, { friction, restitution, collisionGroup: bits, collisionMask: bits });
        to.addShape(new Shape(made));
    }
}

function body(given, shapes) {
    const config = new RigidBodyConfig();
    config.type = given ? RigidBodyType.DYNAMIC : RigidBodyType.STATIC;
    const made = new RigidBody(config);
    addShapes(shapes, made);
    if (given) {
        const mass = new MassData(), [x, y, z] = inertiaInSpace(given);
        mass.mass = given.mass;
        mass.localInertia = new Mat3(x, 0, 0, 0, y, 0, 0, 0, z);
        made.setMassData(mass);
        if (planar && shapes.length > 0) made.setRotationFactor(new Vec3(0, 0, 1)); // what touches stays in the plane
    }
    system.addRigidBody(made);
    return made;
}

function add({ type, bodies: names, points, axes }, at, solver) {
    const kind = planar && type === 'revolute' ? 'spherical' : type;
    const name = kind[0].toUpperCase() + kind.slice(1) + 'Joint', config = new kinds[`${name}Config`]();
    [config.rigidBody1, config.rigidBody2] = names.map((each) => at[each]);
    [config.localAnchor1, config.localAnchor2] = points.map(vector);
    if (kind !== 'spherical') [config.localAxis1, config.localAxis2] = axes.map((a) => vector(unit(vectorInSpace(a))));
    config.solverType = ConstraintSolverType[solver.toUpperCase()];
    config.allowCollision = true;
    system.addJoint(new kinds[name](config));
}

run({
    hello: {
        name: 'oimo', version: '1.2.2', order: 1, state: 'pure', contacts: 'none',
        brief: 'OimoPhysics, maximal coordinates',
        parameters: [
            { name: 'solver', default: 'iterative', choices: ['iterative', 'direct'], doc: 'of each joint' },
            { name: 'iterations', default: 10, range: [1, 1e6], doc: 'sweeps over velocities' },
            { name: 'position_iterations', default: 5, range: [0, 1e6], doc: 'sweeps over positions' },
        ],
    },
    world(world, { solver, iterations, position_iterations }) {
        refuseLists(world, 'springs', 'drivers', 'forces');
        refuseThin(world);
        joints(world, 'revolute', 'spherical', 'universal', 'prismatic');
        planar = world.gravity.length === 2;
        system = new dynamics.World(undefined, vector(world.gravity));
        system.setNumVelocityIterations(iterations);
        system.setNumPositionIterations(position_iterations);
        const shapes = touching(world, 31, 'plane', 'sphere', 'box'), of = (name) => shapes.filter((s) => s.body === name);
        const at = { ground: body(null, of('ground')) };
        bodies = Object.entries(world.bodies).map(([name, given]) => (at[name] = body(given, of(name))));
        for (const joint of world.joints ?? []) add(joint, at, solver);
    },
    set(time, poses, twists) {
        bodies.forEach((made, k) => {
            const [x, y, z, ...e] = poseInSpace(poses[k]), u = twistInSpace(twists[k]);
            made.setPosition(new Vec3(x, y, z));
            made.setOrientation(quaternion(e));
            made.setLinearVelocity(vector(u.slice(0, 3)));
            made.setAngularVelocity(vector(u.slice(3)));
        });
    },
    step(h) {
        system.step(h);
        const xyz = ({ x, y, z }) => [x, y, z];
        const poses = bodies.map((made) => {
            const q = made.getOrientation();
            return [...xyz(made.getPosition()), q.w, q.x, q.y, q.z];
        });
        const twists = bodies.map((made) => [...xyz(made.getLinearVelocity()), ...xyz(made.getAngularVelocity())]);
        return answerInSpace(poses, twists, planar);
    },
});
