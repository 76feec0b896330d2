/** Says when a load is a problem, why, and what helps. */
@NullMarked
package io.lazuli.server.load.rule;

import org.jspecify.annotations.NullMarked;
