/** The endpoints of the admin listener: health, readiness and partitions. */
@NullMarked
package io.lazuli.server.admin;

import org.jspecify.annotations.NullMarked;
