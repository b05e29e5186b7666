// Rapier by its WebAssembly build @dimforge/rapier3d-compat, as an engine of stepbench (docs/adding-an-engine.md):
//
//     (cd engines && npm install)
//     stepbench --engine 'node engines/rapier.mjs' order -p rod_chain -p heavy_top -s rapier:iterations=20
//
// Its numbers are single. Its joints are solved by sweeps within sub-steps, whose number is `iterations`. Contacts begin
// with the impulses of the last step, which cannot be set: with them its state is `none`. Two shapes touch if they share a
// group; their coefficients are combined by Rapier's own rule, the mean, and both shapes have those of the contact.
import rapier from '@dimforge/rapier3d-compat';

import { answerInSpace, inertiaInSpace, joints, poseInSpace, refuseLists, refuseThin, run, sidesInSpace, touching,
    twistInSpace, vectorInSpace } from './engine.mjs';

await rapier.init();
const { ColliderDesc, HalfSpace, JointData, RigidBodyDesc, World } = rapier;

let planar, given, substeps, system, bodies;
const vector = (a) => {
    const [x, y, z] = vectorInSpace(a);
    return { x, y, z };
};

function jointData({ type, points, axes }) {
    const [a, b] = points.map(vector);
    if (type === 'spherical') return JointData.spherical(a, b);
    const [axisA, axisB] = (axes ?? [[0, 0, 1], [0, 0, 1]]).map(vector);
    return JointData.revoluteWithAxes(a, b, axisA, axisB);
}

function collider({ type, point, normal, radius, size, friction, restitution, bits }) {
    const made = type === 'plane' ? new ColliderDesc(new HalfSpace(vector(normal))) : type === 'sphere' ? ColliderDesc.ball(radius)
        : ColliderDesc.cuboid(...sidesInSpace({ size }).map((side) => side / 2));
    return made.setTranslation(...vectorInSpace(point)).setDensity(0).setCollisionGroups((bits << 16 | bits) >>> 0)
        .setFriction(friction).setRestitution(restitution);
}

function start() {
    system?.free();
    system = new World(vector(given.gravity));
    system.numSolverIterations = substeps;
    const at = { ground: system.createRigidBody(RigidBodyDesc.fixed()) };
    bodies = Object.entries(given.bodies).map(([name, each]) => {
        const description = RigidBodyDesc.dynamic().setCanSleep(false).setAdditionalMassProperties(each.mass, vector([]),
            vector(inertiaInSpace(each)), { x: 0, y: 0, z: 0, w: 1 });
        if (planar && given.contacts) description.enabledRotations(false, false, true);
        at[name] = system.createRigidBody(description);
        return at[name];
    });
    for (const joint of given.joints ?? []) {
        const [a, b] = joint.bodies.map((name) => at[name] ?? at.ground);
        system.createImpulseJoint(jointData(joint), a, b, true);
    }
    for (const shape of touching(given, 16, 'plane', 'sphere', 'box')) system.createCollider(collider(shape), at[shape.body]);
}

run({
    hello: {
        name: 'rapier',
        version: rapier.version(),
        brief: 'Rapier: joints by sweeps within sub-steps, in single precision',
        order: 1,
        state: 'pure',
        contacts: 'none',
        precision: 32,
        parameters: [{ name: 'iterations', default: 4, range: [1, 1000], doc: 'sub-steps of the solver' }],
    },
    world(world, { iterations }) {
        refuseLists(world, 'springs', 'drivers', 'forces');
        joints(world, 'revolute', 'spherical');
        refuseThin(world);
        planar = world.gravity.length === 2;
        [given, substeps] = [world, Number(iterations)];
        start();
    },
    set(time, poses, twists) {
        if (given.contacts) start();
        bodies.forEach((body, k) => {
            const [x, y, z, e0, e1, e2, e3] = poseInSpace(poses[k]), u = twistInSpace(twists[k]);
            body.setTranslation({ x, y, z }, true);
            body.setRotation({ x: e1, y: e2, z: e3, w: e0 }, true);
            body.setLinvel(vector(u.slice(0, 3)), true);
            body.setAngvel(vector(u.slice(3)), true);
        });
    },
    step(h) {
        system.timestep = h;
        system.step();
        const pose = (x, e) => [x.x, x.y, x.z, e.w, e.x, e.y, e.z], twist = (v, w) => [v.x, v.y, v.z, w.x, w.y, w.z];
        const poses = bodies.map((body) => pose(body.translation(), body.rotation()));
        const twists = bodies.map((body) => twist(body.linvel(), body.angvel()));
        return answerInSpace(poses, twists, planar);
    },
});
