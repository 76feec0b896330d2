/** The queue service: raw requests, official clients, crowds of consumers, and kills. */
@NullMarked
package io.lazuli.conformance.queue;

import org.jspecify.annotations.NullMarked;
