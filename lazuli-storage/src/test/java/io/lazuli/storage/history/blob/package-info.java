/** Clients of a blob service, what they record, and the check of it. */
package io.lazuli.storage.history.blob;
