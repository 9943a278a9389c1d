package checklist

import (
	"context"
	"fmt"

	"github.com/cfwizard/cfwizard/installer/access"
	"github.com/cfwizard/cfwizard/installer/text"
)

// lookAlias waits for the load balancer's name, then looks whether the host's
// record leads to it.
func lookAlias(ctx context.Context, s *Scene) Finding {
	_, addresses, err := s.ingress(ctx)
	switch {
	case err != nil:
		return s.withoutIngress(err)
	case len(addresses) == 0:
		return waiting("AWS has not made the load balancer yet")
	}
	f := s.fromDNS(ctx, addresses)
	if f.State == Done {
		return f
	}
	host, balancer := s.Answers.Access.Ingress.Host, addresses[0]
	region := access.ALBRegion(balancer)
	if region == "" {
		f.Fix = fmt.Sprintf("Create the DNS record CNAME %s → %s.", host, balancer)
		return f
	}
	f.Fix = fmt.Sprintf("In Route 53: a record %s of type A, Alias on, Alias to Application and Classic Load Balancer, region %s, dualstack.%s.", host, region, balancer)
	f.Command = aliasCommands(host, balancer, region)
	f.Link = "https://console.aws.amazon.com/route53/v2/hostedzones"
	return f
}

// aliasCommands find the load balancer's own zone, and write the record into
// the host's.
func aliasCommands(host, balancer, region string) string {
	record := `{"Changes":[{"Action":"UPSERT","ResourceRecordSet":{"Name":"` + host + `","Type":"A","AliasTarget":{"HostedZoneId":"'"$ZONE"'","DNSName":"dualstack.` +
		balancer + `","EvaluateTargetHealth":false}}}]}`
	return "ZONE=$(aws elbv2 describe-load-balancers --region " + text.Quote(region) + " --query \"LoadBalancers[?DNSName=='" + balancer + "'].CanonicalHostedZoneId\" --output text)\n" +
		"aws route53 change-resource-record-sets --hosted-zone-id YOUR-ZONE-ID --change-batch '" + record + "'"
}
