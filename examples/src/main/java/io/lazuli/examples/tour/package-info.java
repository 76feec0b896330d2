/**
 * {@code lazuli tour}: starts a server, runs the scenarios of the Table Design Guide, prints their
 * requests, and ends with a kill that loses nothing.
 */
@NullMarked
package io.lazuli.examples.tour;

import org.jspecify.annotations.NullMarked;
