package io.lazuli.server.load.real;

import io.lazuli.server.load.rule.Kind;
import java.util.List;
import java.util.function.Consumer;

/**
 * A load with a problem, in a table or queue of its own.
 *
 * @param name what a team has done
 * @param kind what must be found
 * @param space the table or queue in which it must be found; empty for the account
 * @param data what is stored before
 * @param begin begins the load
 */
record Problem(
    String name, Kind kind, String space, List<Consumer<Machine>> data, Consumer<Traffic> begin) {}
