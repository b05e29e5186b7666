// cannon-es, as an engine of stepbench (docs/adding-an-engine.md):
//
//     (cd engines && npm install)
//     stepbench --engine 'node engines/cannon_es.mjs' order -p pendulum -p heavy_top -s cannon_es:relaxation=2
//
// Its constraints are those of SPOOK, solved by sweeps of Gauss-Seidel. cannon-es computes the coefficients of SPOOK
// from stiffness, relaxation and step; it does so for the step 1/60 s unless the step is passed, as here. Every pair of
// shapes that touch has a ContactMaterial with the friction and restitution of its contact, and the stiffness and
// relaxation of cannon-es.
import { Body, Box, ContactMaterial, DistanceConstraint, HingeConstraint, Material, Plane, PointToPointConstraint, Quaternion,
    Sphere, Vec3, World } from 'cannon-es';

import { answerInSpace, facing, inertiaInSpace, joints, plus, poseInSpace, refuseLists, refuseRods, refuseThin, run,
    sidesInSpace, touching, twistInSpace, vectorInSpace } from './engine.mjs';

let planar, system, bodies, options;
const vector = (a) => new Vec3(...vectorInSpace(a));

function fixed(position) {
    const body = new Body({ mass: 0, position });
    system.addBody(body);
    return body;
}

// Gives the bodies their shapes. Two of them touch if each one's mask has a group of the other one.
function addShapes(world, at) {
    const materials = {}, shapes = touching(world, 31, 'plane', 'sphere', 'box');
    for (const { name, type, body, point, normal, radius, size, bits } of shapes) {
        const sides = size && vector(sidesInSpace({ size })).scale(0.5);
        const shape = type === 'plane' ? new Plane() : type === 'sphere' ? new Sphere(radius) : new Box(sides);
        const [e0, ...e] = type === 'plane' ? facing([0, 0, 1], normal) : [1, 0, 0, 0];
        shape.material = materials[name] = new Material(name);
        Object.assign(shape, { collisionFilterGroup: bits, collisionFilterMask: bits });
        const to = at[body] ?? at.ground, { inertia, invInertia } = to, J = [inertia.clone(), invInertia.clone()];
        to.addShape(shape, vector(point), new Quaternion(...e, e0));
        if (to !== at.ground) [inertia, invInertia].forEach((own, k) => own.copy(J[k])); // addShape computes another one
        to.collisionFilterGroup = to.collisionFilterMask = -1;
    }
    for (const { shapes: [a, b], friction, restitution } of world.contacts ?? []) {
        system.addContactMaterial(new ContactMaterial(materials[a], materials[b], { friction, restitution }));
    }
}

function constraint({ type, bodies: names, points, axes, length }, at) {
    const far = Number.MAX_VALUE;
    if (type === 'distance') {
        const [a, b] = names.map((name, k) => at[name] ?? fixed(vector(points[k])));
        return new DistanceConstraint(a, b, length, far);
    }
    const [a, b] = names.map((name) => at[name] ?? at.ground);
    const [pivotA, pivotB] = points.map(vector);
    if (type === 'spherical' || planar) return new PointToPointConstraint(a, pivotA, b, pivotB, far);
    const [axisA, axisB] = axes.map(vector);
    return new HingeConstraint(a, b, { pivotA, pivotB, axisA, axisB, maxForce: far });
}

// Returns the forces and torques of the joints on all bodies in the last step.
function wrenches() {
    const out = new Map(bodies.map((body) => [body, [0, 0, 0, 0, 0, 0]]));
    for (const { bi, bj, jacobianElementA: A, jacobianElementB: B, multiplier } of system.constraints.flatMap((c) => c.equations)) {
        for (const [body, { spatial: f, rotational: t }] of [[bi, A], [bj, B]]) {
            if (out.has(body)) out.set(body, plus(out.get(body), [f.x, f.y, f.z, t.x, t.y, t.z], multiplier));
        }
    }
    return [...out.values()];
}

run({
    hello: {
        name: 'cannon_es',
        version: '0.20.0',
        brief: 'cannon-es: SPOOK, solved by sweeps',
        reference: 'spook07',
        order: 1,
        state: 'pure',
        contacts: true,
        multipliers: true,
        parameters: [
            { name: 'stiffness', default: 1e7, range: [1e-300, 1e300], doc: 'of the constraints, 1/eps of SPOOK' },
            { name: 'relaxation', default: 4, range: [1e-300, 1e6], doc: 'of the constraints in steps, tau/h of SPOOK' },
            { name: 'iterations', default: 10, range: [1, 1e6], doc: 'sweeps over the constraints' },
        ],
    },
    world(world, parameters) {
        refuseLists(world, 'springs', 'drivers', 'forces');
        joints(world, 'distance', 'revolute', 'spherical');
        refuseRods(world);
        refuseThin(world);
        planar = world.gravity.length === 2;
        options = Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, Number(value)]));
        system = new World({ gravity: vector(world.gravity) });
        system.solver.iterations = options.iterations;
        system.solver.tolerance = 0;
        const at = { ground: fixed(new Vec3()) };
        bodies = Object.entries(world.bodies).map(([name, given]) => {
            const inertia = inertiaInSpace(given);
            const body = new Body({ mass: given.mass, linearDamping: 0, angularDamping: 0, allowSleep: false });
            body.inertia.set(...inertia);
            body.invInertia.set(...inertia.map((J) => 1 / J));
            if (planar && world.contacts) { // what touches stays in the plane
                body.linearFactor.set(1, 1, 0);
                body.angularFactor.set(0, 0, 1);
            }
            system.addBody(body);
            at[name] = body;
            return body;
        });
        for (const joint of world.joints ?? []) system.addConstraint(constraint(joint, at));
        addShapes(world, at);
    },
    set(time, poses, twists) {
        bodies.forEach((body, k) => {
            const [x, y, z, e0, e1, e2, e3] = poseInSpace(poses[k]), u = twistInSpace(twists[k]);
            body.position.set(x, y, z);
            body.quaternion.set(e1, e2, e3, e0);
            body.velocity.set(...u.slice(0, 3));
            body.angularVelocity.set(...u.slice(3));
            body.updateInertiaWorld(true);
            body.aabbNeedsUpdate = true;
        });
    },
    step(h) {
        for (const { equations } of system.constraints) {
            for (const equation of equations) equation.setSpookParams(options.stiffness, options.relaxation, h);
        }
        system.step(h);
        const poses = bodies.map(({ position: x, quaternion: e }) => [x.x, x.y, x.z, e.w, e.x, e.y, e.z]);
        const twists = bodies.map(({ velocity: v, angularVelocity: w }) => [v.x, v.y, v.z, w.x, w.y, w.z]);
        return answerInSpace(poses, twists, planar, wrenches());
    },
});
