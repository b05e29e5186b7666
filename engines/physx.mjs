// PhysX by its WebAssembly build physx-js-webidl, as an engine of stepbench (docs/adding-an-engine.md):
//
//     (cd engines && npm install)
//     stepbench --engine 'node engines/physx.mjs' order -p rod_chain -p heavy_top -s physx:solver=tgs,iterations=100
//
// All joints but distance joints are D6 joints, whose frames are those of the start. Its numbers are single. Joints begin
// anew in every step; contacts keep their points of friction, so that their state is `none`.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import load from 'physx-js-webidl';

import { Refuse, answerInSpace, conj, dot, facing, inertiaInSpace, joints, plus, poseInSpace, product, refuseLists,
    refuseThin, rotation, run, scaled, sidesInSpace, touching, turn, twistInSpace, unit, vectorInSpace } from './engine.mjs';

// The package is built for browsers, and looks for one while it loads.
const wasmBinary = readFileSync(createRequire(import.meta.url).resolve('physx-js-webidl/physx-js-webidl.wasm'));
const { process } = globalThis;
globalThis.window = globalThis;
globalThis.process = undefined;
const px = await load({ wasmBinary, print: console.error });
globalThis.process = process;
delete globalThis.window;

const GYROSCOPIC = 1 << 10; // PxRigidBodyFlag::eENABLE_GYROSCOPIC_FORCES, which the package does not name
const top = px.PxTopLevelFunctions.prototype, errors = new px.PxDefaultErrorCallback(), scale = new px.PxTolerancesScale();
const foundation = top.CreateFoundation(px.PHYSICS_VERSION, new px.PxDefaultAllocator(), errors);
const physics = top.CreatePhysics(px.PHYSICS_VERSION, foundation, scale);
top.InitExtensions(physics);
const dispatcher = top.DefaultCpuDispatcherCreate(0);
let planar, scene, bodies;

// Calls a function with a vector or a pose, and frees it.
function using(made, then) {
    const result = then(made);
    px.destroy(made);
    return result;
}
const withVector = (a, then) => using(new px.PxVec3(...vectorInSpace(a)), then);
const withPose = (x, [e0, ...e], then) =>
    withVector(x, (p) => using(new px.PxQuat(...e, e0), (q) => using(new px.PxTransform(p, q), then)));

const still = [1, 0, 0, 0], ball = ['TWIST', 'SWING1', 'SWING2'];
const free = { revolute: ['TWIST'], spherical: ball, universal: ['TWIST', 'SWING1'], prismatic: ['X'], fixed: [],
    cylindrical: ['X', 'TWIST'], planar: ['Y', 'Z', 'TWIST'], point_line: ['X', ...ball], point_plane: ['Y', 'Z', ...ball] };

// Returns the attitude of a joint's frame in the first body: x is the axis of twist, y that of the first swing.
function frame({ type, axes, axis }, eA, eB) {
    if (type !== 'universal') return facing([1, 0, 0], axes?.[0] ?? axis ?? [0, 0, 1]);
    const x = unit(turn(product(conj(eA), eB), axes[1])), f = facing([1, 0, 0], x);
    return product(rotation(x, Math.atan2(dot(axes[0], turn(f, [0, 0, 1])), dot(axes[0], turn(f, [0, 1, 0])))), f);
}

function addJoint(joint, at, attitude) {
    const [a, b] = joint.bodies.map((name) => at[name]), [eA, eB] = joint.bodies.map((name) => attitude[name]);
    const distance = joint.type === 'distance', fA = distance ? still : frame(joint, eA, eB);
    const fB = distance ? still : product(conj(eB), product(eA, fA));
    const made = withPose(joint.points[0], fA, (pA) => withPose(joint.points[1], fB, (pB) =>
        top[distance ? 'DistanceJointCreate' : 'D6JointCreate'](physics, a, pA, b, pB)));
    for (const name of distance ? [] : free[joint.type]) made.setMotion(px.PxD6AxisEnum[`e${name}`], px.PxD6MotionEnum.eFREE);
    if (distance) {
        made.setMinDistance(joint.length);
        made.setMaxDistance(joint.length);
        made.setTolerance(0);
        for (const side of ['MIN', 'MAX']) {
            made.setDistanceJointFlag(px.PxDistanceJointFlagEnum[`e${side}_DISTANCE_ENABLED`], true);
        }
    }
}

function addShape(shape, actor) {
    const { type, friction, restitution, bits, radius } = shape;
    if (radius === 0) throw new Refuse('its contacts have no shape of radius 0');
    const [a, b] = (shape.points ?? [shape.point, shape.point]).map(vectorInSpace), along = plus(b, a, -1);
    const geometry = type === 'plane' ? new px.PxPlaneGeometry() : type === 'sphere' ? new px.PxSphereGeometry(radius)
        : type === 'box' ? new px.PxBoxGeometry(...scaled(sidesInSpace(shape), 0.5))
            : new px.PxCapsuleGeometry(radius, Math.hypot(...along) / 2);
    const made = physics.createShape(geometry, physics.createMaterial(friction, friction, restitution), true);
    const axis = type === 'plane' ? shape.normal : type === 'capsule' ? along : [1, 0, 0], attitude = facing([1, 0, 0], axis);
    withPose(scaled(plus(a, b), 0.5), attitude, (pose) => made.setLocalPose(pose));
    using(new px.PxFilterData(bits, 0, 0, 0), (data) => made.setSimulationFilterData(data));
    actor.attachShape(made);
}

// Two shapes touch if they share a bit.
const filter = new px.PassThroughFilterShaderImpl();
filter.filterShader = (kindA, bitsA, a1, a2, a3, kindB, bitsB) =>
    px.PxFilterFlagEnum[bitsA & bitsB ? 'eDEFAULT' : 'eSUPPRESS'];
filter.outputPairFlags = px.PxPairFlagEnum.eCONTACT_DEFAULT;

run({
    hello: {
        name: 'physx', version: '5.6.1', order: 1, state: 'pure', precision: 32, contacts: 'none',
        brief: 'PhysX, maximal coordinates, in single precision',
        parameters: [
            { name: 'solver', default: 'pgs', choices: ['pgs', 'tgs'], doc: 'projected or temporal Gauss-Seidel sweeps' },
            { name: 'iterations', default: 4, range: [1, 255], doc: 'sweeps with a correction of positions' },
            { name: 'velocity_iterations', default: 1, range: [0, 255], doc: 'sweeps without one' },
            { name: 'bounce_threshold', default: 2, range: [1e-3, 1e3], unit: 'm/s', type: 'real',
                doc: 'an approach below this one has no restitution' },
        ],
    },
    world(world, { solver, iterations, velocity_iterations, bounce_threshold }) {
        refuseLists(world, 'springs', 'drivers', 'forces');
        refuseThin(world);
        joints(world, 'distance', ...Object.keys(free));
        const shapes = touching(world, 31, 'plane', 'sphere', 'box', 'capsule');
        const add = (actor, name) => {
            for (const shape of shapes.filter(({ body }) => body === name)) addShape(shape, actor);
            scene.addActor(actor);
            return actor;
        };
        planar = world.gravity.length === 2;
        scene?.release();
        for (const body of bodies ?? []) body.release();
        const desc = new px.PxSceneDesc(scale);
        withVector(world.gravity, (g) => desc.set_gravity(g));
        desc.cpuDispatcher = dispatcher;
        desc.solverType = px.PxSolverTypeEnum[solver === 'pgs' ? 'ePGS' : 'eTGS'];
        desc.bounceThresholdVelocity = bounce_threshold;
        top.setupPassThroughFilterShader(desc, filter);
        scene = physics.createScene(desc);
        px.destroy(desc);
        const at = { ground: add(withPose([0, 0, 0], still, (pose) => physics.createRigidStatic(pose)), 'ground') };
        const attitude = { ground: still };
        bodies = Object.entries(world.bodies).map(([name, body]) => {
            const [x, y, z, ...e] = poseInSpace([...body.position, ...(planar ? [body.angle] : body.quaternion)]);
            const made = withPose([x, y, z], e, (pose) => physics.createRigidDynamic(pose));
            made.setMass(body.mass);
            withVector(inertiaInSpace(body), (J) => made.setMassSpaceInertiaTensor(J));
            made.setLinearDamping(0);
            made.setAngularDamping(0); // its own is 0.05/s
            made.setMaxLinearVelocity(1e15);
            made.setMaxAngularVelocity(1e15); // its own is 100 rad/s
            made.setSleepThreshold(0);
            made.setStabilizationThreshold(0);
            made.setRigidBodyFlag(GYROSCOPIC, true);
            made.setSolverIterationCounts(iterations, velocity_iterations);
            for (const name of planar ? ['LINEAR_Z', 'ANGULAR_X', 'ANGULAR_Y'] : []) {
                made.setRigidDynamicLockFlag(px.PxRigidDynamicLockFlagEnum[`eLOCK_${name}`], true);
            }
            attitude[name] = e;
            at[name] = add(made, name);
            return made;
        });
        for (const joint of world.joints ?? []) addJoint(joint, at, attitude);
    },
    set(time, poses, twists) {
        bodies.forEach((body, k) => {
            const [x, y, z, ...e] = poseInSpace(poses[k]), u = twistInSpace(twists[k]);
            withPose([x, y, z], e, (pose) => body.setGlobalPose(pose));
            withVector(u.slice(0, 3), (v) => body.setLinearVelocity(v));
            withVector(u.slice(3), (w) => body.setAngularVelocity(w));
        });
    },
    step(h) {
        scene.simulate(h);
        scene.fetchResults(true);
        const vector = ({ x, y, z }) => [x, y, z];
        const poses = bodies.map((body) => {
            const { p, q } = body.getGlobalPose();
            return [...vector(p), q.w, ...vector(q)];
        });
        const twists = bodies.map((body) => [...vector(body.getLinearVelocity()), ...vector(body.getAngularVelocity())]);
        return answerInSpace(poses, twists, planar);
    },
});
