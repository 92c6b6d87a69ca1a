// XXH3-128 with seed 0, by 32-bit halves: the digest that `retake replay --output digests:` prints for a plane.
// Two lanes at a time stay in local numbers; products of 32-bit numbers get their high word from a float product.

const SECRET = new Uint8Array(
  ("b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c" +
   "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364" +
   "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")
    .match(/../g).map(pair => parseInt(pair, 16)));
const SECRET_WORDS = words(0, 48);
const LAST_WORDS = words(121, 16);
const SCRAMBLE_WORDS = words(128, 16);

const PRIME32_1 = 0x9e3779b1, PRIME32_2 = 0x85ebca77, PRIME32_3 = 0xc2b2ae3d;
const PRIME64 = [0x9e3779b185ebca87n, 0xc2b2ae3d27d4eb4fn, 0x165667b19e3779f9n, 0x85ebca77c2b2ae63n, 0x27d4eb2f165667c5n];
const START = [BigInt(PRIME32_3), PRIME64[0], PRIME64[1], PRIME64[2], PRIME64[3], BigInt(PRIME32_2), PRIME64[4], BigInt(PRIME32_1)];
const ALL = (1n << 64n) - 1n;
const STRIPES = 16;
const SHIFT = 2 ** -32;

const low = new Uint32Array(8), high = new Uint32Array(8);

function words(offset, count) {
  const view = new DataView(SECRET.buffer);
  return Uint32Array.from({ length: count }, (_, i) => (offset + 4 * i + 4 <= SECRET.length ? view.getUint32(offset + 4 * i, true) : 0));
}

/// `count` stripes of 64 bytes from word `from`, with a secret that moves by 8 bytes a stripe.
function accumulate(data, from, count, secret) {
  for (let lane = 0; lane < 8; lane += 2) {
    let l0 = low[lane], h0 = high[lane], l1 = low[lane + 1], h1 = high[lane + 1];
    let at = from + 2 * lane, key = 2 * lane;
    for (let stripe = 0; stripe < count; stripe++, at += 16, key += 2) {
      const a = data[at], b = data[at + 1], c = data[at + 2], d = data[at + 3];
      const ka = (a ^ secret[key]) >>> 0, kb = (b ^ secret[key + 1]) >>> 0;
      const kc = (c ^ secret[key + 2]) >>> 0, kd = (d ^ secret[key + 3]) >>> 0;
      const p = Math.imul(ka, kb) >>> 0, q = Math.imul(kc, kd) >>> 0;
      const s = l0 + c + p, t = l1 + a + q;
      h0 = (h0 + d + (((ka * kb - p) * SHIFT + 0.5) >>> 0) + ((s * SHIFT) >>> 0)) >>> 0;
      h1 = (h1 + b + (((kc * kd - q) * SHIFT + 0.5) >>> 0) + ((t * SHIFT) >>> 0)) >>> 0;
      l0 = s >>> 0;
      l1 = t >>> 0;
    }
    low[lane] = l0; high[lane] = h0; low[lane + 1] = l1; high[lane + 1] = h1;
  }
}

function scramble() {
  for (let lane = 0; lane < 8; lane++) {
    const l = (low[lane] ^ (high[lane] >>> 15) ^ SCRAMBLE_WORDS[2 * lane]) >>> 0;
    const h = (high[lane] ^ SCRAMBLE_WORDS[2 * lane + 1]) >>> 0;
    const p = Math.imul(l, PRIME32_1) >>> 0;
    low[lane] = p;
    high[lane] = (Math.imul(h, PRIME32_1) >>> 0) + Math.round((l * PRIME32_1 - p) * SHIFT);
  }
}

function secret64(offset) {
  return new DataView(SECRET.buffer).getBigUint64(offset, true);
}

function merged(offset, start) {
  let sum = start;
  for (let lane = 0; lane < 8; lane += 2) {
    const product = (lane64(lane) ^ secret64(offset + 8 * lane)) * (lane64(lane + 1) ^ secret64(offset + 8 * lane + 8));
    sum += (product & ALL) ^ (product >> 64n);
  }
  sum &= ALL;
  sum ^= sum >> 37n;
  sum = (sum * 0x165667919e3779f9n) & ALL;
  return sum ^ (sum >> 32n);
}

function lane64(lane) {
  return (BigInt(high[lane]) << 32n) | BigInt(low[lane]);
}

/// 32 hexadecimal digits, or null for 240 bytes and fewer, which no plane of a picture has.
export function xxh3(bytes) {
  const length = bytes.length;
  if (length <= 240) return null;
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const data = new Uint32Array(aligned.buffer, aligned.byteOffset, length >> 2);
  START.forEach((value, lane) => {
    low[lane] = Number(value & 0xffffffffn);
    high[lane] = Number(value >> 32n);
  });
  const blocks = Math.floor((length - 1) / 1024);
  for (let block = 0; block < blocks; block++) {
    accumulate(data, block * 256, STRIPES, SECRET_WORDS);
    scramble();
  }
  accumulate(data, blocks * 256, Math.floor((length - 1 - blocks * 1024) / 64), SECRET_WORDS);
  const tail = aligned.slice(length - 64, length);
  accumulate(new Uint32Array(tail.buffer), 0, 1, LAST_WORDS);
  const size = BigInt(length);
  const lowWord = merged(11, (size * PRIME64[0]) & ALL);
  const highWord = merged(117, ~(size * PRIME64[1]) & ALL);
  return highWord.toString(16).padStart(16, "0") + lowWord.toString(16).padStart(16, "0");
}
