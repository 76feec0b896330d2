/** Records what the official clients see of a server that many of them use at the same time. */
package io.lazuli.conformance.history;
