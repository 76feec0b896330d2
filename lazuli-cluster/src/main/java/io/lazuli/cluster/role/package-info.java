/** What runs inside the processes of a cluster, beside HBase. */
@NullMarked
package io.lazuli.cluster.role;

import org.jspecify.annotations.NullMarked;
