// Written by PipelineDigestTests: a digest of all stages of all frames for each preset and shape.
let pipelineGoldens: [String: String] = [
  "desk, 160x90, depth 64x48":
    "f50edb46cf5af7b1",
  "desk, 101x57, depth 33x17":
    "c8b92c0b20724be4",
  "desk, 80x60, depth 160x120":
    "4f4e4ec90a7e51e2",
  "desk, 7x4, depth 3x2":
    "d2d972098a107a0b",
  "desk, 1x1, depth 1x1":
    "b32ae986183016dc",
  "static-camera, 160x90, depth 64x48":
    "4cf61d4a6c1126c1",
  "static-camera, 101x57, depth 33x17":
    "edb8a5cda397d6ae",
  "static-camera, 80x60, depth 160x120":
    "c3805fbcba448c60",
  "static-camera, 7x4, depth 3x2":
    "1a1bc19d15976fbf",
  "static-camera, 1x1, depth 1x1":
    "1c61a8e180fa1b5c",
  "handheld, 160x90, depth 64x48":
    "c432484602550288",
  "handheld, 101x57, depth 33x17":
    "998b098438e1d5d0",
  "handheld, 80x60, depth 160x120":
    "4f4e4ec90a7e51e2",
  "handheld, 7x4, depth 3x2":
    "d2d972098a107a0b",
  "handheld, 1x1, depth 1x1":
    "b32ae986183016dc",
  "truedepth-backdrop, 160x90, depth 64x48":
    "5b7ddbd2a37c1cac",
  "truedepth-backdrop, 101x57, depth 33x17":
    "28cd7d8a305978a0",
  "truedepth-backdrop, 80x60, depth 160x120":
    "3bdedb0aa0da74e7",
  "truedepth-backdrop, 7x4, depth 3x2":
    "c9c61a2a35c840b1",
  "truedepth-backdrop, 1x1, depth 1x1":
    "b32ae986183016dc",
  "virtual-background, 160x90, depth 64x48":
    "5ad658efb315221a",
  "virtual-background, 101x57, depth 33x17":
    "2724933a28c65f41",
  "virtual-background, 80x60, depth 160x120":
    "d6c2c700cbbd8af2",
  "virtual-background, 7x4, depth 3x2":
    "26556823cc9ac63e",
  "virtual-background, 1x1, depth 1x1":
    "6ca43ca268908e25",
  "video-depth-maps, 160x90, depth 64x48":
    "5f57c8eebc434441",
  "video-depth-maps, 101x57, depth 33x17":
    "909bde5c0a687076",
  "video-depth-maps, 80x60, depth 160x120":
    "65837a42b0d6cad8",
  "video-depth-maps, 7x4, depth 3x2":
    "9a64f348ec28a8b7",
  "video-depth-maps, 1x1, depth 1x1":
    "b32ae986183016dc",
  "video-depth-maps-green-screen, 160x90, depth 64x48":
    "958520051a88643c",
  "video-depth-maps-green-screen, 101x57, depth 33x17":
    "4938ed6a7f54d10f",
  "video-depth-maps-green-screen, 80x60, depth 160x120":
    "944aad3c9a5668ca",
  "video-depth-maps-green-screen, 7x4, depth 3x2":
    "d268bdc6cf8b4c0c",
  "video-depth-maps-green-screen, 1x1, depth 1x1":
    "b32ae986183016dc",
  "video-depth-maps-blur, 160x90, depth 64x48":
    "8fc2b19ab0c842d4",
  "video-depth-maps-blur, 101x57, depth 33x17":
    "9014d40e4a0bf3fa",
  "video-depth-maps-blur, 80x60, depth 160x120":
    "ab53d99b967bb3fa",
  "video-depth-maps-blur, 7x4, depth 3x2":
    "4491ad512610754c",
  "video-depth-maps-blur, 1x1, depth 1x1":
    "b32ae986183016dc",
  "matte-effects, 160x90, depth 64x48":
    "11fa7cf222b544da",
  "matte-effects, 101x57, depth 33x17":
    "01b825ae3fc3c1f8",
  "matte-effects, 80x60, depth 160x120":
    "6816b50b5e1cf94b",
  "matte-effects, 7x4, depth 3x2":
    "f0c7f82c94316e91",
  "matte-effects, 1x1, depth 1x1":
    "52411fdb9b50c61c",
  "avcam-filter, 160x90, depth 64x48":
    "dcdfe6ffba802057",
  "avcam-filter, 101x57, depth 33x17":
    "789ada572ad090fb",
  "avcam-filter, 80x60, depth 160x120":
    "5b020d58ad730e10",
  "avcam-filter, 7x4, depth 3x2":
    "4e420ec544c106d8",
  "avcam-filter, 1x1, depth 1x1":
    "0ba72af893858988",
  "depth filters, 160x90, depth 64x48":
    "2517176c17df0d5c",
  "depth filters, 101x57, depth 33x17":
    "e34631efdc23fbfc",
  "depth filters, 80x60, depth 160x120":
    "4c9ae409c446c73a",
  "depth filters, 7x4, depth 3x2":
    "0f36f1f1bd00ca1f",
  "depth filters, 1x1, depth 1x1":
    "d17c0479f2439ab8",
  "look-ahead, 160x90, depth 64x48":
    "b6fc7f46aa1598fe",
  "look-ahead, 101x57, depth 33x17":
    "cbdf6efdf2a1f2a2",
  "look-ahead, 80x60, depth 160x120":
    "61ad827afa343f41",
  "look-ahead, 7x4, depth 3x2":
    "fa050758f358de1f",
  "look-ahead, 1x1, depth 1x1":
    "1ceb2e2c99420110",
  "mask of two kinds, 160x90, depth 64x48":
    "3df9cedee11a3508",
  "mask of two kinds, 101x57, depth 33x17":
    "bfdc711fe60d9201",
  "mask of two kinds, 80x60, depth 160x120":
    "2d1d959a6d222c50",
  "mask of two kinds, 7x4, depth 3x2":
    "22c4b7b716db6700",
  "mask of two kinds, 1x1, depth 1x1":
    "8f048f7c70aa03ec",
  "matte filters, 160x90, depth 64x48":
    "a24818c5bb4fb782",
  "matte filters, 101x57, depth 33x17":
    "0d048e122b7f251e",
  "matte filters, 80x60, depth 160x120":
    "4dec4bf57d6b2634",
  "matte filters, 7x4, depth 3x2":
    "16ceb34a4edab126",
  "matte filters, 1x1, depth 1x1":
    "b32ae986183016dc",
  "light, 160x90, depth 64x48":
    "7a1e4fab72da6e64",
  "light, 101x57, depth 33x17":
    "c5507a43e51ad622",
  "light, 80x60, depth 160x120":
    "8afa43b3f2258d24",
  "light, 7x4, depth 3x2":
    "2ccfafb0b67b7c85",
  "light, 1x1, depth 1x1":
    "b947b43e98ef5006",
]
