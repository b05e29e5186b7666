// Compares a model in MJCF with a world as data: MuJoCo steps both, the second by its adapter, and the bodies have to be
// at the same places. node mjcf.mjs MODEL.xml WORLD.json
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const engines = fileURLToPath(new URL('../../engines/', import.meta.url)), require = createRequire(engines);
const [xml, json] = process.argv.slice(2).map((file) => readFileSync(file, 'utf8')), world = JSON.parse(json);
const { default: load } = await import(require.resolve('@mujoco/mujoco'));
const mujoco = await load({ wasmBinary: readFileSync(require.resolve('@mujoco/mujoco/mujoco.wasm')) });

const adapter = spawn('node', [`${engines}mujoco.mjs`], { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface({ input: adapter.stdout })[Symbol.asyncIterator]();
async function ask(message) {
    adapter.stdin.write(JSON.stringify(message) + '\n');
    return JSON.parse((await lines.next()).value);
}
const bodies = Object.values(world.bodies);
let now = {
    poses: bodies.map((b) => [...b.position, ...[b.quaternion ?? b.angle].flat()]),
    twists: bodies.map((b) => [...b.velocity, ...[b.rate].flat()]),
};
await ask({ message: 'world', world, parameters: { integrator: 'RK4', cone: 'pyramidal', impratio: 1 } });

const model = mujoco.MjModel.from_xml_string(xml), data = new mujoco.MjData(model), h = world.time_scale / 100;
mujoco.mj_resetDataKeyframe(model, data, 0);
model.opt.timestep = h;
model.opt.integrator = 1; // RK4
let largest = 0;
for (let step = 0; step < 20; step++) {
    mujoco.mj_step(model, data);
    await ask({ message: 'set', time: step * h, ...now });
    now = await ask({ message: 'step', h });
    mujoco.mj_kinematics(model, data);
    Object.keys(world.bodies).forEach((name, k) => {
        const id = mujoco.mj_name2id(model, 1, name), x = data.xpos.subarray(3 * id, 3 * id + 3);
        now.poses[k].slice(0, world.gravity.length).forEach((y, i) => { largest = Math.max(largest, Math.abs(x[i] - y)); });
        const e = data.xquat.subarray(4 * id, 4 * id + 4), other = now.poses[k].slice(3);
        if (other.length > 0) largest = Math.max(largest, 1 - Math.abs(other.reduce((sum, y, i) => sum + y * e[i], 0)));
    });
}
adapter.stdin.end();
process.stdout.write(`${largest}\n`);
process.exit(0);
