/** Cases that read the request logs of all three services, which the blob service stores. */
@NullMarked
package io.lazuli.conformance.log;

import org.jspecify.annotations.NullMarked;
