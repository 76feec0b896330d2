/**
 * The conformance suite. This package has the parts that all cases share: the account under test,
 * the server process that serves it when no other endpoint is given, and the annotations with which
 * a case names its service, its area and its evidence.
 *
 * <p>The cases are organised by service: {@code table}, {@code queue} and {@code blob}. Each
 * service has {@code rest} (raw HTTP requests), {@code sdk} (the current and the previous official
 * Java client) and {@code stress} (crowds of clients, random histories and killed servers). Two
 * packages have cases of all services: {@code host} replays what well-known programs send, and
 * {@code log} reads the request logs. {@code wire} and {@code support} help all cases; {@code
 * runner} is the command {@code lazuli conformance}.
 */
@NullMarked
package io.lazuli.conformance;

import org.jspecify.annotations.NullMarked;
