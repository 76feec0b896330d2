/** The heat map: load by ranges of keys and time. */
@NullMarked
package io.lazuli.server.load.map;

import org.jspecify.annotations.NullMarked;
