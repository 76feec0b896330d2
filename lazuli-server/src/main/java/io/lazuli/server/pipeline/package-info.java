/** The steps between a listener and the endpoint of a service. */
@NullMarked
package io.lazuli.server.pipeline;

import org.jspecify.annotations.NullMarked;
