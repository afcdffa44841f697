// What a mail server sends when a mail could not be delivered.

/** A delivery status report (RFC 3464). */
export const report = (messageId: string, address: string, status = '5.1.1', action = 'failed', subject = 'Offer') =>
  [
    'From: MAILER-DAEMON@mx.example',
    'Subject: Undelivered Mail Returned to Sender',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b1"',
    '',
    '--b1',
    'Content-Type: text/plain',
    '',
    'I am sorry.',
    '--b1',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example',
    '',
    `Final-Recipient: rfc822; ${address}`,
    `Action: ${action}`,
    `Status: ${status}`,
    'Diagnostic-Code: smtp; 550 5.1.1 No such',
    ' user',
    '',
    '--b1',
    'Content-Type: text/rfc822-headers',
    '',
    `Message-ID: ${messageId}`,
    `Subject: ${subject}`,
    '',
    '--b1--',
    '',
  ].join('\r\n')
