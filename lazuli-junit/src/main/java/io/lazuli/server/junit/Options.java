package io.lazuli.server.junit;

import io.lazuli.server.development.DevelopmentConfig;

/** The options of a server. Extensions with equal options can share one. */
record Options(Storage storage, Ports ports, DevelopmentConfig development) {
  static final Options DEFAULT =
      new Options(Storage.IN_MEMORY, Ports.FREE, DevelopmentConfig.OFF.withPort(0));

  Options with(Storage other) {
    return new Options(other, ports, development);
  }

  Options with(Ports other) {
    return new Options(storage, other, development);
  }

  Options with(DevelopmentConfig other) {
    return new Options(storage, ports, other);
  }
}
