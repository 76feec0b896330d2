/** The models of the console: their JSON, where they are kept, and the trial of a proposal. */
@NullMarked
package io.lazuli.server.console.model;

import org.jspecify.annotations.NullMarked;
