/** The command {@code lazuli cluster-demo}. */
@NullMarked
package io.lazuli.cluster.demo;

import org.jspecify.annotations.NullMarked;
