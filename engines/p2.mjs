// p2, as an engine of stepbench (docs/adding-an-engine.md):
//
//     (cd engines && npm install)
//     stepbench --engine 'node engines/p2.mjs' order -p pendulum -p rod_chain -s p2:relaxation=2
//
// Its constraints are those of SPOOK, solved by sweeps of Gauss-Seidel. Its numbers are double, as P2_ARRAY_TYPE allows.
import { createRequire } from 'node:module';

import { Refuse, answerFinite, joints, refuseLists, run } from './engine.mjs';

globalThis.P2_ARRAY_TYPE = Float64Array;
const p2 = createRequire(import.meta.url)('p2');

let system, bodies;

function constraint({ type, bodies: names, points, length }, at) {
    const [a, b] = names.map((name) => at[name] ?? at.ground);
    return type === 'distance'
        ? new p2.DistanceConstraint(a, b, { localAnchorA: points[0], localAnchorB: points[1], distance: length })
        : new p2.RevoluteConstraint(a, b, { localPivotA: points[0], localPivotB: points[1] });
}

run({
    hello: {
        name: 'p2',
        version: '0.7.1',
        brief: 'p2: SPOOK in the plane, solved by sweeps',
        reference: 'spook07',
        order: 1,
        state: 'pure',
        parameters: [
            { name: 'stiffness', default: 1e6, range: [1e-300, 1e300], doc: 'of the constraints, 1/eps of SPOOK' },
            { name: 'relaxation', default: 4, range: [1e-300, 1e6], doc: 'of the constraints in steps, tau/h of SPOOK' },
            { name: 'iterations', default: 10, range: [1, 1e6], doc: 'sweeps over the constraints' },
        ],
    },
    world(world, parameters) {
        if (world.gravity.length !== 2) throw new Refuse('it has the plane only');
        refuseLists(world, 'springs', 'drivers', 'forces');
        joints(world, 'distance', 'revolute');
        system = new p2.World({ gravity: world.gravity });
        system.solver.iterations = Number(parameters.iterations);
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
    },
    set(time, poses, twists) {
        bodies.forEach((body, k) => {
            body.position.set(poses[k].slice(0, 2));
            body.angle = poses[k][2];
            body.velocity.set(twists[k].slice(0, 2));
            body.angularVelocity = twists[k][2];
        });
    },
    step(h) {
        system.step(h);
        const poses = bodies.map(({ position, angle }) => [...position, angle]);
        return answerFinite(poses, bodies.map(({ velocity, angularVelocity }) => [...velocity, angularVelocity]));
    },
});
