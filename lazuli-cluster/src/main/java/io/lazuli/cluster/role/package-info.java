/** Code that runs inside the processes of a cluster, in addition to HBase. */
@NullMarked
package io.lazuli.cluster.role;

import org.jspecify.annotations.NullMarked;
