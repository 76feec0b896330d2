package io.lazuli.cluster;

import java.util.List;

/** The ports of a Lazuli server, which stay the same after a restart. */
public record LazuliPorts(int blob, int queue, int table, int admin) {
  /** Returns ports that are free now. */
  public static LazuliPorts free() {
    return new LazuliPorts(FreePort.find(), FreePort.find(), FreePort.find(), FreePort.find());
  }

  /** Returns four consecutive ports. */
  public static LazuliPorts from(int first) {
    return new LazuliPorts(first, first + 1, first + 2, first + 3);
  }

  List<String> options() {
    return List.of(
        "--blob-port=" + blob,
        "--queue-port=" + queue,
        "--table-port=" + table,
        "--admin-port=" + admin);
  }
}
