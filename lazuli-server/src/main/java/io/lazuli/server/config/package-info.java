/** What can be set, where it is set, and what wins. */
@NullMarked
package io.lazuli.server.config;

import org.jspecify.annotations.NullMarked;
