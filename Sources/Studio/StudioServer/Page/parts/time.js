// Times as a person reads them.

/// "1:02:03.400", "0:04.000".
export function clock(seconds) {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = (seconds % 60).toFixed(3).padStart(6, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/// "frame 12", "frames 12 to 20", for a range without its end.
export function frameRange(from, to) {
  return to - from === 1 ? `frame ${from}` : `frames ${from} to ${to - 1}`;
}

export function duration(seconds) {
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
