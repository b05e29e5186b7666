// p2, as an engine of stepbench (docs/adding-an-engine.md):
//
//     (cd engines && npm install)
//     stepbench --engine 'node engines/p2.mjs' order -p pendulum -p rod_chain -s p2:relaxation=2
//
// Its constraints are those of SPOOK, solved by sweeps of Gauss-Seidel. Its numbers are double, as P2_ARRAY_TYPE allows.
// Every pair of shapes that touch has a ContactMaterial with the friction and restitution of its contact, and p2's own
// stiffness, relaxation and skin. Restitution acts where bodies did not touch in the last step: with contacts its state is
// `none`.
import { createRequire } from 'node:module';

import { Refuse, answerFinite, joints, plus, refuseLists, run, touching } from './engine.mjs';

globalThis.P2_ARRAY_TYPE = Float64Array;
const p2 = createRequire(import.meta.url)('p2');

let system, bodies;

function constraint({ type, bodies: names, points, length }, at) {
    const [a, b] = names.map((name) => at[name] ?? at.ground);
    return type === 'distance'
        ? new p2.DistanceConstraint(a, b, { localAnchorA: points[0], localAnchorB: points[1], distance: length })
        : new p2.RevoluteConstraint(a, b, { localPivotA: points[0], localPivotB: points[1] });
}

// Gives the bodies their shapes. Two of them touch if each one's mask has a group of the other one.
function addShapes(world, at) {
    const materials = {};
    for (const { name, type, body, point, normal, radius, size, bits } of touching(world, 31, 'plane', 'sphere', 'box')) {
        const shape = type === 'plane' ? new p2.Plane() : type === 'sphere' ? new p2.Circle({ radius })
            : new p2.Box({ width: size[0], height: size[1] });
        shape.material = materials[name] = new p2.Material();
        Object.assign(shape, { collisionGroup: bits, collisionMask: bits });
        const to = at[body] ?? at.ground, { inertia, invInertia } = to;
        to.addShape(shape, point, type === 'plane' ? Math.atan2(-normal[0], normal[1]) : 0);
        Object.assign(to, { inertia, invInertia }); // addShape computes another one
    }
    for (const { shapes: [a, b], friction, restitution } of world.contacts ?? []) {
        system.addContactMaterial(new p2.ContactMaterial(materials[a], materials[b], { friction, restitution }));
    }
}

// Returns the forces and torques of the joints on all bodies in the last step.
function wrenches() {
    const out = new Map(bodies.map((body) => [body, [0, 0, 0]]));
    for (const { bodyA, bodyB, G, multiplier } of system.constraints.flatMap((c) => c.equations)) {
        for (const [body, at] of [[bodyA, 0], [bodyB, 3]]) {
            if (out.has(body)) out.set(body, plus(out.get(body), [...G.slice(at, at + 3)], multiplier));
        }
    }
    return [...out.values()];
}

run({
    hello: {
        name: 'p2',
        version: '0.7.1',
        brief: 'p2: SPOOK in the plane, solved by sweeps',
        reference: 'spook07',
        order: 1,
        state: 'pure',
        contacts: 'none',
        multipliers: true,
        parameters: [
            { name: 'stiffness', default: 1e6, range: [1e-300, 1e300], doc: 'of the constraints, 1/eps of SPOOK' },
            { name: 'relaxation', default: 4, range: [1e-300, 1e6], doc: 'of the constraints in steps, tau/h of SPOOK' },
            { name: 'iterations', default: 10, range: [1, 1e6], doc: 'sweeps over the constraints' },
            { name: 'friction_iterations', default: 0, range: [0, 1e6],
                doc: 'sweeps that find the bounds of friction, which otherwise is mu times the weight' },
        ],
    },
    world(world, parameters) {
        if (world.gravity.length !== 2) throw new Refuse('it has the plane only');
        refuseLists(world, 'springs', 'drivers', 'forces');
        joints(world, 'distance', 'revolute');
        system = new p2.World({ gravity: world.gravity });
        system.solver.iterations = Number(parameters.iterations);
        system.solver.frictionIterations = Number(parameters.friction_iterations);
        system.solver.tolerance = 0;
        const at = { ground: new p2.Body() };
        system.addBody(at.ground);
        bodies = Object.entries(world.bodies).map(([name, { mass, inertia }]) => {
            const body = new p2.Body({ mass, damping: 0, angularDamping: 0 });
            body.inertia = inertia || mass; // nothing depends on that of a particle
            body.invInertia = 1 / body.inertia;
            system.addBody(body);
            at[name] = body;
            return body;
        });
        for (const joint of world.joints ?? []) {
            const made = constraint(joint, at);
            made.setStiffness(Number(parameters.stiffness));
            made.setRelaxation(Number(parameters.relaxation));
            system.addConstraint(made);
        }
        addShapes(world, at);
    },
    set(time, poses, twists) {
        system.narrowphase.collidingBodiesLastStep.reset();
        bodies.forEach((body, k) => {
            body.position.set(poses[k].slice(0, 2));
            body.angle = poses[k][2];
            body.velocity.set(twists[k].slice(0, 2));
            body.angularVelocity = twists[k][2];
            body.aabbNeedsUpdate = true;
        });
    },
    step(h) {
        system.step(h);
        const poses = bodies.map(({ position, angle }) => [...position, angle]);
        return answerFinite(poses, bodies.map(({ velocity, angularVelocity }) => [...velocity, angularVelocity]), wrenches());
    },
});
