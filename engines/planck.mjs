// planck, the engine Box2D 2 in JavaScript, as an engine of stepbench (docs/adding-an-engine.md):
//
//     (cd engines && npm install)
//     stepbench --engine 'node engines/planck.mjs' order -p pendulum -p rod_chain -s planck:velocity_iterations=100
//
// Its joints are solved by sweeps over the velocities, then over the positions while they are off by more than
// linear_slop. Sweeps begin with zero impulses, since a step depends on the state alone; with contacts they begin with
// those of the last step, as planck's own do, and its state is `none`. Planes are edges of 40 m. planck combines frictions
// by their geometric mean and takes the larger restitution; both shapes have those of the contact.
import { Box, Circle, DistanceJoint, Edge, RevoluteJoint, Settings, World } from 'planck';

import { Refuse, answerFinite, edge, joints, refuseLists, run, touching } from './engine.mjs';

let given, system, bodies, sweeps;
const vector = ([x, y]) => ({ x, y });

function joint({ type, bodies: names, points, length }, at) {
    const [bodyA, bodyB] = names.map((name) => at[name] ?? at.ground);
    const [localAnchorA, localAnchorB] = points.map(vector);
    const given = { bodyA, bodyB, localAnchorA, localAnchorB };
    return type === 'distance' ? new DistanceJoint({ ...given, length }) : new RevoluteJoint(given);
}

function shapeOf({ type, point, normal, radius, size }) {
    return type === 'plane' ? new Edge(...edge({ point, normal }).map(vector))
        : type === 'sphere' ? new Circle(vector(point), radius) : new Box(size[0] / 2, size[1] / 2, vector(point));
}

function start() {
    const gravity = vector(given.gravity);
    system = new World({ gravity, allowSleep: false, warmStarting: given.contacts !== undefined });
    const at = { ground: system.createBody() };
    bodies = Object.entries(given.bodies).map(([name, { mass, inertia }]) => {
        const body = system.createBody({ type: 'dynamic' });
        body.setMassData({ mass, center: { x: 0, y: 0 }, I: inertia || mass }); // nothing depends on that of a particle
        at[name] = body;
        return body;
    });
    for (const each of given.joints ?? []) system.createJoint(joint(each, at));
    for (const shape of touching(given, 16, 'plane', 'sphere', 'box')) {
        const { friction, restitution, bits } = shape;
        at[shape.body].createFixture({
            shape: shapeOf(shape), density: 0, friction, restitution, filterCategoryBits: bits, filterMaskBits: bits,
        });
    }
}

run({
    hello: {
        name: 'planck',
        version: '1.5.0',
        brief: 'planck (Box2D 2 in JavaScript): sweeps over velocities, then over positions',
        order: 1,
        state: 'pure',
        contacts: 'none',
        parameters: [
            { name: 'velocity_iterations', default: 8, range: [1, 1e6], doc: 'sweeps over the velocities' },
            { name: 'position_iterations', default: 3, range: [0, 1e6], doc: 'largest number of sweeps over the positions' },
            { name: 'linear_slop', default: 0.005, range: [0, 1], unit: 'm', doc: 'error of positions that is left alone' },
        ],
    },
    world(world, parameters) {
        if (world.gravity.length !== 2) throw new Refuse('it has the plane only');
        refuseLists(world, 'springs', 'drivers', 'forces');
        joints(world, 'distance', 'revolute');
        Settings.linearSlop = Number(parameters.linear_slop);
        sweeps = [Number(parameters.velocity_iterations), Number(parameters.position_iterations)];
        given = world;
        start();
    },
    set(time, poses, twists) {
        if (given.contacts) start();
        bodies.forEach((body, k) => {
            body.setTransform(vector(poses[k]), poses[k][2]);
            body.setLinearVelocity(vector(twists[k]));
            body.setAngularVelocity(twists[k][2]);
        });
    },
    step(h) {
        system.step(h, ...sweeps);
        const poses = bodies.map((body) => [body.getPosition().x, body.getPosition().y, body.getAngle()]);
        const twist = (v, w) => [v.x, v.y, w];
        return answerFinite(poses, bodies.map((body) => twist(body.getLinearVelocity(), body.getAngularVelocity())));
    },
});
