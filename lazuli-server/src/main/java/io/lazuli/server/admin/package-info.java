/** The endpoints of the admin listener: health, readiness, metrics, partitions and commands. */
@NullMarked
package io.lazuli.server.admin;

import org.jspecify.annotations.NullMarked;
