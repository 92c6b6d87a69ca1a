// Written by PipelineDigestTests: a digest of all stages of all frames for each preset and shape.
let pipelineGoldens: [String: String] = [
  "truedepth-backdrop, 160x90, depth 64x48":
    "c7af2fdf24637790",
  "truedepth-backdrop, 101x57, depth 33x17":
    "79fb3f5d7abfde45",
  "truedepth-backdrop, 80x60, depth 160x120":
    "8760322566cea1f3",
  "truedepth-backdrop, 7x4, depth 3x2":
    "c9c61a2a35c840b1",
  "truedepth-backdrop, 1x1, depth 1x1":
    "b32ae986183016dc",
  "virtual-background, 160x90, depth 64x48":
    "7c955d156abe0282",
  "virtual-background, 101x57, depth 33x17":
    "1551892c954d9984",
  "virtual-background, 80x60, depth 160x120":
    "4a497f0b49b70522",
  "virtual-background, 7x4, depth 3x2":
    "26556823cc9ac63e",
  "virtual-background, 1x1, depth 1x1":
    "6ca43ca268908e25",
  "video-depth-maps, 160x90, depth 64x48":
    "f4497a3c2ab3d747",
  "video-depth-maps, 101x57, depth 33x17":
    "60b6078eac4e0870",
  "video-depth-maps, 80x60, depth 160x120":
    "5ad13e72ec89da24",
  "video-depth-maps, 7x4, depth 3x2":
    "d39e1bf91af07653",
  "video-depth-maps, 1x1, depth 1x1":
    "b32ae986183016dc",
  "video-depth-maps-green-screen, 160x90, depth 64x48":
    "01d3d0cccd6c00f9",
  "video-depth-maps-green-screen, 101x57, depth 33x17":
    "65b7a38d4e82bd0f",
  "video-depth-maps-green-screen, 80x60, depth 160x120":
    "b168b28d7229edbb",
  "video-depth-maps-green-screen, 7x4, depth 3x2":
    "d39e1bf91af07653",
  "video-depth-maps-green-screen, 1x1, depth 1x1":
    "b32ae986183016dc",
  "video-depth-maps-blur, 160x90, depth 64x48":
    "a0564b4aaeded9d3",
  "video-depth-maps-blur, 101x57, depth 33x17":
    "67290c0a754c629a",
  "video-depth-maps-blur, 80x60, depth 160x120":
    "7292a3aacb81e3d0",
  "video-depth-maps-blur, 7x4, depth 3x2":
    "07ad940098e5f90e",
  "video-depth-maps-blur, 1x1, depth 1x1":
    "e1901150ead5a572",
  "matte-effects, 160x90, depth 64x48":
    "326e719defe7cc46",
  "matte-effects, 101x57, depth 33x17":
    "aa187b7a68e82956",
  "matte-effects, 80x60, depth 160x120":
    "0382ea1f9b3d2cc8",
  "matte-effects, 7x4, depth 3x2":
    "289bc6ff81bd96e4",
  "matte-effects, 1x1, depth 1x1":
    "acb65b2b49744cb5",
  "avcam-filter, 160x90, depth 64x48":
    "cbf29ce484222325",
  "avcam-filter, 101x57, depth 33x17":
    "cbf29ce484222325",
  "avcam-filter, 80x60, depth 160x120":
    "cbf29ce484222325",
  "avcam-filter, 7x4, depth 3x2":
    "cbf29ce484222325",
  "avcam-filter, 1x1, depth 1x1":
    "cbf29ce484222325",
  "depth filters, 160x90, depth 64x48":
    "ffdfa49689fbd242",
  "depth filters, 101x57, depth 33x17":
    "7964b8a8deff1f46",
  "depth filters, 80x60, depth 160x120":
    "45346c9d9e8b5f81",
  "depth filters, 7x4, depth 3x2":
    "0f36f1f1bd00ca1f",
  "depth filters, 1x1, depth 1x1":
    "d17c0479f2439ab8",
  "look-ahead, 160x90, depth 64x48":
    "6e8f171d3f39470f",
  "look-ahead, 101x57, depth 33x17":
    "fea53f211061002c",
  "look-ahead, 80x60, depth 160x120":
    "9b83feb6fbdb5563",
  "look-ahead, 7x4, depth 3x2":
    "fa050758f358de1f",
  "look-ahead, 1x1, depth 1x1":
    "1ceb2e2c99420110",
  "mask of two kinds, 160x90, depth 64x48":
    "ba9ede4536fdea3a",
  "mask of two kinds, 101x57, depth 33x17":
    "e90f0a709ed720de",
  "mask of two kinds, 80x60, depth 160x120":
    "0d7e0c70ce28d570",
  "mask of two kinds, 7x4, depth 3x2":
    "22c4b7b716db6700",
  "mask of two kinds, 1x1, depth 1x1":
    "8f048f7c70aa03ec",
  "matte filters, 160x90, depth 64x48":
    "c7af2fdf24637790",
  "matte filters, 101x57, depth 33x17":
    "79fb3f5d7abfde45",
  "matte filters, 80x60, depth 160x120":
    "8760322566cea1f3",
  "matte filters, 7x4, depth 3x2":
    "c9c61a2a35c840b1",
  "matte filters, 1x1, depth 1x1":
    "b32ae986183016dc",
  "light, 160x90, depth 64x48":
    "c7af2fdf24637790",
  "light, 101x57, depth 33x17":
    "79fb3f5d7abfde45",
  "light, 80x60, depth 160x120":
    "8760322566cea1f3",
  "light, 7x4, depth 3x2":
    "c9c61a2a35c840b1",
  "light, 1x1, depth 1x1":
    "b32ae986183016dc",
]
